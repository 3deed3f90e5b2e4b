# shellcheck shell=bash source=../fetch-quic-go.sh
. "$peers/fetch-quic-go.sh"

fetch() { fetch_quic_go; }

download() { exec "$quic_go_program" client; }

request() { exec "$quic_go_program" request "$@"; }
