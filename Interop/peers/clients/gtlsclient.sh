# shellcheck shell=bash
fetch() { fetch_ngtcp2; }

# gtlsclient OPTION… -- URL…: the URLs over one connection.
gtlsclient() {
  local options=(--quiet --no-quic-dump --no-http-dump --exit-on-all-streams-close --timeout 60s) address host port
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  address=${1#https://} address=${address%%/*}
  host=${address%:*} port=443
  [ "$host" = "$address" ] || port=${address##*:}
  [ -z "${QLOGDIR:-}" ] || { mkdir -p "$QLOGDIR" && options+=(--qlog-dir "$QLOGDIR"); }
  "$peers/ngtcp2" gtlsclient "${options[@]}" "$host" "$port" "$@"
}

download() {
  local requests url options=(--download "$DOWNLOADS")
  read -r -a requests <<<"$REQUESTS"
  case $TESTCASE in
    chacha20) options+=(--ciphers NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+CHACHA20-POLY1305) ;;
    keyupdate) options+=(--delay-stream 10ms --key-update 1ms) ;;
    v2) options+=(--available-versions v2,v1) ;;
    ecn | zerortt) options+=(--no-pmtud) ;;
    multiconnect) options+=(--timeout 180s --handshake-timeout 180s) ;;
  esac
  case $TESTCASE in
    multiconnect)
      for url in "${requests[@]}"; do gtlsclient "${options[@]}" -- "$url" || return; done
      ;;
    resumption | zerortt)
      options+=(--session-file "$RUN/session" --tp-file "$RUN/parameters" --wait-for-ticket)
      [ "$TESTCASE" = zerortt ] || options+=(--disable-early-data)
      gtlsclient "${options[@]}" -- "${requests[0]}" || return
      gtlsclient "${options[@]}" -- "${requests[@]:1}"
      ;;
    *) gtlsclient "${options[@]}" -- "${requests[@]}" ;;
  esac
}

request() {
  local method=$1 url=$2 again='' options=()
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      --again) again=1 ;;
      *) say "gtlsclient sends no fields and no text of one's own."; exit 127 ;;
    esac
    shift
  done
  mkdir "$RUN/download"
  options=(--http-method "$method" --download "$RUN/download" --session-file "$RUN/session"
    --tp-file "$RUN/parameters" --wait-for-ticket)
  gtlsclient "${options[@]}" -- "$url"
  [ -z "$again" ] || gtlsclient "${options[@]}" -- "$url"
  # It reports no status, but it keeps the body of an answer.
  cat "$RUN/download/${url##*/}"
  printf 'status 200\n' >&2
}
