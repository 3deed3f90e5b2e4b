"""A client of the latency lab that others' libraries speak for; `stream-client` beside this file finds them.

    stream_client.py --arm ARM --plan FILE --out FILE
    stream_client.py --arm ARM --versions

Does what the plan says and writes a ClientRecord as JSON; times are nanoseconds of the monotonic clock.
Exit status 0: the record is written, also when events are missing (then its `failure` says why); 1: it could not be
written; 2: a wrong option or plan; 75: the arm's library is not available here.
"""

import argparse
import gc
import json
import os
import sys
import tempfile

from conductor import Conductor
from plan import Plan, PlanError

CANNOT_RUN_HERE = 75  # EX_TEMPFAIL
# aioquic and h2 are written in Python, and take the time that this needs.
SLOW = {"aioquic-h3", "python-h2"}
ARMS = ("curl-h3", "curl-h2", "curl-h1", "quic-go-h3", "chromium-h3", "chromium-h2", "aioquic-h3", "python-h2")


def arm_class(arm):
    """Imports only what the arm needs: no interpreter has all of the libraries."""
    if arm.startswith("curl-"):
        import curl_arm as module
        return module, module.CurlArm
    if arm == "quic-go-h3":
        import quic_go_arm as module
        return module, module.QuicGoArm
    if arm.startswith("chromium-"):
        import chromium_arm as module
        return module, module.ChromiumArm
    if arm == "aioquic-h3":
        import http3_arm as module
        return module, module.HTTP3Arm
    import http2_arm as module
    return module, module.HTTP2Arm


def run(transport, plan):
    # No pauses while time is being measured; a run's garbage is small.
    gc.collect()
    gc.freeze()
    gc.disable()
    conductor = transport.run(lambda: Conductor(plan, transport))
    record = conductor.record()
    transport.close()
    return record


def main():
    parser = argparse.ArgumentParser(prog="stream-client", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arm", required=True, choices=ARMS)
    parser.add_argument("--plan", metavar="FILE")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--versions", action="store_true", help="print the library's version and do nothing")
    options = parser.parse_args()
    try:
        module, make_arm = arm_class(options.arm)
        software = module.software(options.arm)
    except ImportError as error:
        print("stream-client: %s: %s. Run 'stream-client --check %s' first, where there is a network."
              % (options.arm, error, options.arm), file=sys.stderr)
        return CANNOT_RUN_HERE
    if options.versions:
        print(software + (", a slow client" if options.arm in SLOW else ""))
        return 0
    if not options.plan or not options.out:
        parser.error("give --plan and --out")
    try:
        plan = Plan.read(options.plan)
    except PlanError as error:
        print("stream-client: %s" % error, file=sys.stderr)
        return 2
    # What an arm keeps in files while it runs goes with the run.
    tempfile.tempdir = os.path.dirname(os.path.abspath(options.out))
    try:
        transport = make_arm(options.arm, plan)
    except (OSError, ValueError) as error:
        print("stream-client: %s cannot begin, with the authority of %s: %s" % (
            options.arm, plan.authority_file, error), file=sys.stderr)
        return 2
    record = run(transport, plan)
    try:
        # Whole or not there: a reader never sees half of it.
        with open(options.out + ".partial", "w", encoding="ascii") as file:
            json.dump(record, file)
            file.write("\n")
        os.replace(options.out + ".partial", options.out)
    except OSError as error:
        print("stream-client: the record could not be written: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
