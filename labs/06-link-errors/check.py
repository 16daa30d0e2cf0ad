# SPDX-License-Identifier: GPL-2.0
"""The check of lab 6: torus-sim's trace of the student's exercise against the student's predictions."""
import lab

RING = 16
PROTOCOL = 14		# ticks of a packet on a link beyond its bytes
HOP = 20
SLACK = 60
SEEDS = 100


def exercise(draw):
    """Part 1: a path, a bad link on it, damaged copies. Part 2: a link that is down for a time."""
    source, hops = draw.randrange(RING), draw.randrange(3, 7)
    bad = draw.randrange(0, hops - 1)
    size = 32 * draw.randrange(2, 9)
    copies = draw.randrange(2, 5)
    best = draw.randrange(900, 1800)
    return {
        "nodes": f"{RING}x1x1, a ring in x",
        "from": f"{source},0,0",
        "to": f"{(source + hops) % RING},0,0",
        "bytes": size,
        "bad_link": f"{(source + bad) % RING},0,0 x+",
        "damaged": copies,
        "time-out": draw.randrange(400, 3000),
        "down_until": HOP * bad + copies * (size + PROTOCOL + best) - draw.randrange(1, copies),
        "most_copies": copies,
        "latest": HOP * bad + copies * (size + PROTOCOL + best) + HOP * (hops - bad) + size + SLACK,
    }


def run(task, timeout, fault, seed=1):
    """Simulate the packet of the exercise; return the events of its trace."""
    return lab.trace(f"{task['from']} {task['to']}", "--arch", "bgl", "--shape", f"{RING}x1x1",
                     "--packets", "1", "--size", str(task["bytes"]), "--set", f"timeout={timeout}",
                     "--seed", str(seed), "--fault", f"{task['bad_link']} {fault}")


def ticks(trace, kind):
    return [event["tick"] for event in trace if event["event"] == kind]


def damaged(task):
    """Simulate part 1 with errors that no header CRC finds: the next node forwards each damaged copy."""
    after = (int(task["bad_link"].split(",")[0]) + 1) % RING
    for seed in range(1, SEEDS):
        trace = run(task, task["time-out"], f"corrupt {task['damaged']}", seed)
        if sum(event["event"] == "hop" and event["node"] == after and event.get("invalid", False)
               for event in trace) == task["damaged"]:
            return trace
    raise lab.Rejected("no damage spares the header; please report the name")


def check(this, work, student):
    task = this.exercise(student)
    trace = damaged(task)
    resends = ticks(trace, "resend")
    if len(resends) != task["damaged"] or len(ticks(trace, "deliver")) != 1:
        raise lab.Rejected("the exercise does not behave as planned; please report the name")
    yield "first_resend", work.number("answers", "first_resend") == resends[0]
    yield "last_resend", work.number("answers", "last_resend") == resends[-1]
    yield "deliver", work.number("answers", "deliver") == ticks(trace, "deliver")[0]
    yield "invalid_hops", work.number("answers", "invalid_hops") == sum(
        event["event"] == "hop" and event.get("invalid", False) for event in trace)
    timeout = work.number("answers", "timeout")
    if timeout is None:
        return
    trace = run(task, timeout, f"state down for {task['down_until']}")
    delivered = ticks(trace, "deliver")
    yield "timeout", len(ticks(trace, "resend")) <= task["most_copies"] and \
        len(delivered) == 1 and delivered[0] <= task["latest"]
