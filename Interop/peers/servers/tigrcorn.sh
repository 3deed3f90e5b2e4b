# shellcheck shell=bash
fetch() { fetch_environment tigrcorn 12 tigrcorn==0.3.17 >/dev/null; }

serve() {
  local program options=(--quic-bind "$ADDRESS:$PORT")
  program=$(fetch_environment tigrcorn 12 tigrcorn==0.3.17)
  [ -z "$ADDRESS6" ] || options+=(--quic-bind "[$ADDRESS6]:$PORT")
  [ "$TESTCASE" != retry ] || options+=(--quic-require-retry)
  # It cannot divide a flight over datagrams (ValueError: packet exceeds maximum datagram size): the leaf alone fits.
  openssl x509 -in "$CERTIFICATE" -out "$RUN/leaf.pem"
  cd "$peers/servers"
  exec "${program%/*}/tigrcorn" asgi_application:application "${options[@]}" --http 3 --protocol http3 \
    --ssl-certfile "$RUN/leaf.pem" --ssl-keyfile "$PRIVATE_KEY" --no-access-log </dev/null
}
