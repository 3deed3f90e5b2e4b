# shellcheck shell=bash
fetch() { :; }

serve() {
  local program options=(--port "$PORT" --certificate "$CERTIFICATE" --private-key "$PRIVATE_KEY" --files "$WWW") address=$ADDRESS
  program=$(built_program backend)
  (umask 077 && printf 'rk_%s\n' "$RANDOM$RANDOM$RANDOM" >"$RUN/key")
  [ -z "${ADDRESS6:-}" ] || address=:: # one socket for both families
  [ "$TESTCASE" != retry ] || options+=(--retry)
  [ -z "${QLOGDIR:-}" ] || options+=(--qlog "$QLOGDIR")
  exec "$program" serve --address "$address" --database :memory: --api-key-file "$RUN/key" "${options[@]}" </dev/null
}

# built_program NAME: from the folder PROGRAMS, else the newest of the last debug and release builds.
built_program() {
  local build=$peers/../../.build found
  # shellcheck disable=SC2012
  found=$(ls -t "${PROGRAMS:-$build/release}/$1" "${PROGRAMS:-$build/debug}/$1" 2>/dev/null | head -n 1) || true
  [ -n "$found" ] || { say "there is no built '$1'; run 'swift build' first, or name the folder in PROGRAMS."; exit 1; }
  printf '%s\n' "$found"
}
