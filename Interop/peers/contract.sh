# Sourced after fetch-packages.sh by `server` and `client`: what the public runner's contract asks of both.

# peer_lacks ROLE NAME TESTCASE: prints why the peer cannot do the case, nothing where it can.
peer_lacks() {
  python3 - "$peers/$1/$2.json" "$3" <<'END'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    peer = json.load(file)
case = sys.argv[2]
reason = peer["lacks"].get(case)
if reason is None and case.startswith("sse-") and not peer["streams"]:
    reason = peer["lacks"].get("sse", "it cannot hand on a body before it is whole")
if reason:
    print(reason)
END
}

# The public runner's cases (those that share another's TESTCASE too, so that either name will do) and our own streams.
is_case() {
  case $1 in
    handshake | transfer | longrtt | chacha20 | multiplexing | retry | resumption | zerortt | http3 | blackhole) ;;
    keyupdate | ecn | amplificationlimit | handshakeloss | transferloss | handshakecorruption | transfercorruption) ;;
    ipv6 | v2 | rebind-port | rebind-addr | connectionmigration | multiconnect | goodput | crosstraffic) ;;
    sse-*) ;;
    *) return 1 ;;
  esac
}

# use_peer ROLE NAME: reads the peer's functions; ends this script where there is no such peer or it cannot do TESTCASE.
use_peer() {
  local role=$1 name=$2 reason
  if [ ! -f "$peers/$role/$name.json" ]; then
    say "there is no '$name'; there are: $(cd "$peers/$role" && printf '%s ' *.json | sed 's/\.json//g')"
    exit 2
  fi
  # shellcheck source=/dev/null
  . "$peers/$role/$name.sh"
  [ -z "${fetch_only:-}" ] || return 0
  is_case "$TESTCASE" || { say "'$TESTCASE' is no case that it knows."; exit 127; }
  reason=$(peer_lacks "$role" "$name" "$TESTCASE")
  [ -z "$reason" ] || { say "$name has no $TESTCASE: $reason."; exit 127; }
}

# A folder of this run's own. The process, which becomes the peer, holds its lock; the next run removes what nobody holds.
# (A process's number would not do: the runner gives each peer numbers of its own.)
make_run_folder() {
  local folder lock
  mkdir -p "$kept/runs"
  exec {lock}>"$kept/runs.lock"
  flock "$lock"
  for folder in "$kept/runs"/*/; do
    if [ -f "$folder/lock" ] && flock --nonblock "$folder/lock" true; then rm -rf -- "$folder"; fi
  done
  RUN=$(mktemp -d --tmpdir="$kept/runs")
  exec {run_lock}>"$RUN/lock"
  flock "$run_lock"
  exec {lock}>&-
  # Where nothing else is said, what a peer writes about itself goes there too.
  LOGS=${LOGS:-$RUN}
}

# render TEMPLATE: prints a configuration whose @NAME@ are replaced by this script's variables.
render() {
  local text name
  text=$(<"$peers/servers/$1")
  while [[ $text =~ @([A-Z_0-9]+)@ ]]; do
    name=${BASH_REMATCH[1]}
    text=${text//"@$name@"/${!name}}
  done
  printf '%s\n' "$text"
}

# end_by_force COMMAND…: for a peer that does not heed SIGTERM; runs it as a child, and kills it on the caller's request.
end_by_force() {
  local child status=0
  "$@" &
  child=$!
  trap 'kill -KILL "$child" 2>/dev/null; wait "$child" 2>/dev/null; exit 0' TERM INT HUP
  wait "$child" || status=$?
  return $status
}
