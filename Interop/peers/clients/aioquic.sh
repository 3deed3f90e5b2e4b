# shellcheck shell=bash
fetch() { fetch_python_clients; }

download() { exec "$python_clients/bin/python" "$peers/clients/python_client.py" aioquic; }

request() { exec "$python_clients/bin/python" "$peers/clients/python_client.py" aioquic request "$@"; }
