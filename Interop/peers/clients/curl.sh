# shellcheck shell=bash
fetch() { fetch_root curl-sid sid curl >/dev/null; }

curl_of_sid() {
  unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
  run_in_root "$kept/roots/curl-sid" /usr/bin/curl --silent --show-error --no-buffer --http3-only --cacert "$AUTHORITY" \
    --max-time 300 "$@"
}

download() {
  local options=() url
  if [ "$TESTCASE" = multiconnect ]; then
    for url in $REQUESTS; do (curl_of_sid --fail --output "$DOWNLOADS/${url##*/}" "$url") || return; done
    return
  fi
  for url in $REQUESTS; do options+=(--output "$DOWNLOADS/${url##*/}" "$url"); done
  [ "$TESTCASE" != chacha20 ] || options+=(--tls13-ciphers TLS_CHACHA20_POLY1305_SHA256)
  # --parallel-immediate is left out: the connection is waited for and shared. When all of a server's streams are taken
  # curl begins another connection, so it takes half of those that are usual.
  curl_of_sid --fail --parallel --parallel-max 50 "${options[@]}"
}

request() {
  local options=(--request "$1" --write-out '%{stderr}status %{http_code}\n' "$2")
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      --field) options+=(--header "$2"); shift ;;
      --body) options+=(--data-raw "$2"); shift ;;
      *) say "curl has no $1 here: it keeps no tickets."; exit 127 ;;
    esac
    shift
  done
  curl_of_sid "${options[@]}"
}
