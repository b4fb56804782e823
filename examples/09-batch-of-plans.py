"""Plans many catches over HTTP from Python: one request, and answers as they finish. Needs the standard library alone.

Run:    npx flycatcher serve                 in another terminal
        python3 examples/09-batch-of-plans.py [http://localhost:8080]
Prints: of a fan of throws, which can be caught, when and how hard; and the problem of a request that is wrong.
"""

import json
import sys
from urllib.request import Request, urlopen


def request_for(sideways):
    """A throw from 3.2 m away, which drifts to the side [m/s]."""
    state = {"time": 0, "position": [3.2, 0.1, 1.9], "velocity": [-4.6, sideways, 2.6]}
    return {"robot": "lwr-arm", "mode": "soft", "ball": {"state": state}}


def plan_all(address, requests):
    """Posts a list; yields one object a line: {"index", "answer"} or {"index", "problem"}."""
    body = json.dumps(requests).encode()
    headers = {"content-type": "application/json"}
    with urlopen(Request(f"{address}/v1/plan/batch", data=body, headers=headers)) as lines:
        for line in lines:
            yield json.loads(line)


def main(address="http://localhost:8080"):
    drifts = [-1.5 + 0.5 * k for k in range(7)]
    requests = [request_for(drift) for drift in drifts] + [{**request_for(0), "robot": "lwr-amr"}]
    # Answers come in the order in which they are found.
    for line in sorted(plan_all(address, requests), key=lambda line: line["index"]):
        if "problem" in line:
            print(f"request {line['index']}: {line['problem']['detail']}")
            continue
        answer, drift = line["answer"], drifts[line["index"]]
        if "catch" in answer:
            hardest = max(abs(ramp["a"]) for ramp in answer["ramps"])
            print(f"{drift:+.1f} m/s: caught at {answer['catch']['time']:.3f} s, at most {hardest:.1f} rad/s²")
        else:
            print(f"{drift:+.1f} m/s: {answer['reasons'][0]['sentence']}")


main(*sys.argv[1:])
