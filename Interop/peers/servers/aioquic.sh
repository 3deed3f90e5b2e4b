# shellcheck shell=bash
fetch() { fetch_python_clients; }

serve() { exec "$python_clients/bin/python" "$peers/servers/quic_application.py" aioquic </dev/null; }
