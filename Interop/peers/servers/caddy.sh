# shellcheck shell=bash
fetch() { fetch_caddy; }

serve() {
  local KEY_LOG=""
  [ -z "${SSLKEYLOGFILE:-}" ] || KEY_LOG="insecure_secrets_log $SSLKEYLOGFILE"
  render Caddyfile >"$RUN/Caddyfile"
  HOME=$RUN XDG_DATA_HOME=$RUN XDG_CONFIG_HOME=$RUN \
    exec "$caddy_program" run --config "$RUN/Caddyfile" --adapter caddyfile </dev/null
}
