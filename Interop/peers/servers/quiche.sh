# shellcheck shell=bash
fetch() { fetch_environment quiche 9 soyokaze==0.6.3 >/dev/null; }

serve() { exec "$(fetch_environment quiche 9 soyokaze==0.6.3)" "$peers/servers/quiche_application.py" </dev/null; }
