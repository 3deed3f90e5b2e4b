# shellcheck shell=bash
readonly requirements=('hypercorn[h3]==0.18.0' "aioquic==$aioquic_version")

fetch() { fetch_environment hypercorn 9 "${requirements[@]}" >/dev/null; }

serve() {
  local program options=(--bind "$ADDRESS:$PORT" --quic-bind "$ADDRESS:$PORT")
  program=$(fetch_environment hypercorn 9 "${requirements[@]}")
  [ -z "$ADDRESS6" ] || options+=(--quic-bind "[$ADDRESS6]:$PORT")
  cd "$peers/servers"
  # With workers it would start a process of its own, which outlives this one.
  exec "${program%/*}/hypercorn" --workers 0 --keep-alive 60 "${options[@]}" \
    --certfile "$CERTIFICATE" --keyfile "$PRIVATE_KEY" asgi_application:application </dev/null
}
