# shellcheck shell=bash
readonly suite=${suite:-trixie}
readonly root=$kept/roots/nginx-$suite

fetch() { fetch_root "nginx-$suite" "$suite" nginx >/dev/null; }

serve() {
  local RETRY=off LISTEN6=""
  [ "$TESTCASE" != retry ] || RETRY=on
  [ -z "$ADDRESS6" ] || LISTEN6="listen [$ADDRESS6]:$PORT quic reuseport;"
  render nginx.conf >"$RUN/nginx.conf"
  run_in_root "$root" /usr/sbin/nginx -c "$RUN/nginx.conf" -p "$RUN/" -e stderr </dev/null
}
