# Sourced by the scripts beside it: where everything is kept that they download, unpack, generate or log.
# Nothing of that is installed on the system or written into the checkout.

peers=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
kept=${AGENT_STREAM_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/agent-stream/peers}
mkdir -p "$kept"
kept=$(cd -- "$kept" && pwd)

readonly peers kept
readonly certificates=$kept/certificates
# shellcheck disable=SC2034
readonly authority=$certificates/authority.pem chain=$certificates/chain.pem private_key=$certificates/key.pem

# What a check answers when it cannot be made here (EX_TEMPFAIL): neither passed nor failed.
# shellcheck disable=SC2034
readonly cannot_run_here=75

say() { printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2; }
