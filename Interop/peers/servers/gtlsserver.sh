# shellcheck shell=bash
fetch() { fetch_ngtcp2; }

serve() {
  local options=(--quiet --htdocs "$WWW" --timeout 60s --no-quic-dump --no-http-dump) address=$ADDRESS
  [ -z "${QLOGDIR:-}" ] || { mkdir -p "$QLOGDIR" && options+=(--qlog-dir "$QLOGDIR"); }
  [ -z "$ADDRESS6" ] || address='*'
  case $TESTCASE in
    retry) options+=(--validate-addr) ;;
    v2) options+=(--preferred-versions v2,v1 --available-versions v2,v1) ;;
    # A probe of the path's size would not be marked, and the case counts unmarked packets.
    ecn) options+=(--no-pmtud) ;;
    multiconnect | handshakeloss | handshakecorruption) options+=(--timeout 180s --handshake-timeout 180s) ;;
    connectionmigration)
      options+=(--preferred-ipv4-addr "$ADDRESS:$((PORT + 1))")
      [ -z "$ADDRESS6" ] || options+=(--preferred-ipv6-addr "[$ADDRESS6]:$((PORT + 1))")
      ;;
  esac
  end_by_force "$peers/ngtcp2" gtlsserver "${options[@]}" "$address" "$PORT" "$PRIVATE_KEY" "$CERTIFICATE"
}
