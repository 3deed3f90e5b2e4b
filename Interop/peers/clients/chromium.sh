# shellcheck shell=bash
fetch() {
  command -v "${CHROMIUM:-chromium}" >/dev/null && return
  say "there is no chromium on the PATH; 'apt-get install --no-install-recommends chromium' adds it," \
    "or CHROMIUM names another program."
  return "$cannot_run_here"
}

steered() {
  PROFILE=$RUN/profile exec python3 "$peers/clients/chromium_client.py" "$@" </dev/null
}

download() { steered; }

request() { steered request "$@"; }
