# shellcheck shell=bash
readonly root=$kept/roots/haproxy-sid

fetch() { fetch_root haproxy-sid sid haproxy >/dev/null; }

serve() {
  local RETRY="" BIND6="" EARLY=allow-0rtt LIMITED="" FILES
  [ "$TESTCASE" != retry ] || RETRY=quic-force-retry
  # It wants the chain and the key in one file.
  cat "$CERTIFICATE" "$PRIVATE_KEY" >"$RUN/bundle.pem"
  [ -z "$ADDRESS6" ] || BIND6="bind quic6@[$ADDRESS6]:$PORT ssl crt $RUN/bundle.pem alpn h3 $EARLY $RETRY"
  start_file_server
  render haproxy.cfg >"$RUN/haproxy.cfg"
  run_in_root "$root" /usr/sbin/haproxy -f "$RUN/haproxy.cfg" -db </dev/null
}
