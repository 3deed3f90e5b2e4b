# shellcheck shell=bash
fetch() {
  command -v "${CHROMIUM:-chromium}" >/dev/null && return
  say "there is no chromium on the PATH; 'apt-get install --no-install-recommends chromium' adds it," \
    "or CHROMIUM names another program."
  return "$cannot_run_here"
}

# The hashes of all keys that the authority's and the server's files hold: Chromium trusts by them and by nothing else.
keys() {
  local file certificate
  for file in "$AUTHORITY" "${CERTS:-}/cert.pem"; do
    [ -r "$file" ] || continue
    while IFS= read -r -d '' certificate; do
      openssl x509 -pubkey -noout <<<"$certificate" | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | base64
    done < <(awk '/BEGIN CERTIFICATE/ { text = "" } { text = text $0 "\n" } /END CERTIFICATE/ { printf "%s%c", text, 0 }' "$file")
  done | sort -u | paste -sd,
}

steered() {
  SPKI_HASHES=$(keys)
  export SPKI_HASHES PROFILE=$RUN/profile
  exec python3 "$peers/clients/chromium_client.py" "$@" </dev/null
}

download() { steered; }

request() { steered request "$@"; }
