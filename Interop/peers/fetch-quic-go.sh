# Sourced after fetch-packages.sh: builds quic-go/*.go against Debian's quic-go with Debian's Go. No module proxy is asked.
readonly quic_go_program=$kept/quic-go/quic-go

fetch_quic_go() {
  local root
  root=$(fetch_root go-trixie trixie golang-github-lucas-clemente-quic-go-dev golang-1.24-go) || return
  # Built anew when its source is newer.
  if [ -x "$quic_go_program" ] && [ -z "$(find "$peers/quic-go" -name '*.go' -newer "$quic_go_program")" ]; then return; fi
  (
    flock 9
    build_quic_go "$root"
  ) 9>"$kept/quic-go.lock"
}

build_quic_go() { # ROOT
  local root=$1 work=$kept/quic-go goroot=$kept/roots/go-trixie/goroot
  # Debian's GOROOT is links to absolute paths, which lead out of the folder: one folder is made of both halves.
  if [ ! -f "$goroot/complete" ]; then
    rm -rf "$goroot" && mkdir -p "$goroot"
    cp -r "$root"/usr/lib/go-1.24/. "$goroot/"
    find "$goroot" -type l -delete
    cp -rn "$root"/usr/share/go-1.24/. "$goroot/"
    : >"$goroot/complete"
  fi
  mkdir -p "$work/path/src/quic-go"
  rm -f "$work"/path/src/quic-go/*
  cp "$peers"/quic-go/*.go "$work/path/src/quic-go/"
  if ! (cd "$work/path/src/quic-go" && env GOROOT="$goroot" GOPATH="$work/path:$root/usr/share/gocode" GO111MODULE=off \
    GOTOOLCHAIN=local GOFLAGS='' GOCACHE="$work/cache" GOPROXY=off CGO_ENABLED=0 \
    "$goroot/bin/go" build -o "$quic_go_program" .) >"$fetch_log.quic-go" 2>&1; then
    say "quic-go's program could not be built; see $fetch_log.quic-go."
    return 1
  fi
}
