# shellcheck shell=bash source=../fetch-quic-go.sh
. "$peers/fetch-quic-go.sh"

fetch() { fetch_quic_go; }

serve() { exec "$quic_go_program" server </dev/null; }
