# shellcheck shell=bash
fetch() { fetch_environment picoquic 12 aiopquic==0.6.1 aioquic==$aioquic_version >/dev/null; }

serve() { exec "$(fetch_environment picoquic 12 aiopquic==0.6.1 aioquic==$aioquic_version)" "$peers/servers/quic_application.py" picoquic </dev/null; }
