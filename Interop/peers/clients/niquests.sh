# shellcheck shell=bash
interpreter() { fetch_environment niquests 9 niquests==3.21.2 qh3==2.1.0; }

fetch() { interpreter >/dev/null; }

download() { exec "$(interpreter)" "$peers/clients/python_client.py" niquests; }

request() { exec "$(interpreter)" "$peers/clients/python_client.py" niquests request "$@"; }
