# shellcheck shell=bash
fetch() { fetch_environment peregrine 12 peregrine-server==1.2.0 >/dev/null; }

serve() {
  local program address=$ADDRESS
  program=$(fetch_environment peregrine 12 peregrine-server==1.2.0)
  # It has one address; this one is of both families.
  [ -z "$ADDRESS6" ] || address=::
  cd "$peers/servers"
  exec "${program%/*}/peregrine" --host "$address" --port "$PORT" --keep-alive 60000 --http3 \
    --tls-cert "$CERTIFICATE" --tls-key "$PRIVATE_KEY" --python-path . asgi_application:application </dev/null
}
