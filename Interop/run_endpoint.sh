#!/usr/bin/env bash
# What the runner starts in the container, as client or server; see Interop/Client/README.md.
set -euo pipefail
readonly home=/opt/interop-endpoint
export LD_LIBRARY_PATH=$home/lib

# Before anything else: by 127 the runner knows that the case is not supported.
"$home/interop-endpoint" --supports || exit

# The routes through the simulator.
/setup.sh

if [ "${ROLE:-}" = client ]; then
  # The simulator listens once it has seen the server.
  /wait-for-it.sh sim:57832 -s -t 30
fi

exec "$home/interop-endpoint"
