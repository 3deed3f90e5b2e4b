# shellcheck shell=bash
# The same with the nginx of a newer suite.
suite=sid
# shellcheck source=nginx.sh
. "$peers/servers/nginx.sh"
