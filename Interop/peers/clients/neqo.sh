# shellcheck shell=bash
interpreter() { fetch_environment neqo 9 rex-tls==2.27.0; }

fetch() { interpreter >/dev/null; }

download() { exec "$(interpreter)" "$peers/clients/python_client.py" neqo; }

request() { exec "$(interpreter)" "$peers/clients/python_client.py" neqo request "$@"; }
