# shellcheck shell=bash
fetch() { fetch_curl; }

download() { with_curl /usr/bin/python3 "$peers/clients/python_client.py" pycurl; }

request() { with_curl /usr/bin/python3 "$peers/clients/python_client.py" pycurl request "$@"; }
