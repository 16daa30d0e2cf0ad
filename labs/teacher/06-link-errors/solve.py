# SPDX-License-Identifier: GPL-2.0
"""Solution of lab 6, computed from the rules and not from a simulation."""
import math

HOP, PROTOCOL = 20, 14


def solve(task):
    """Return the files of a solution."""
    source, destination = (int(task[key].split(",")[0]) for key in ("from", "to"))
    bad = (int(task["bad_link"].split(",")[0]) - source) % 16
    hops = (destination - source) % 16
    wire = task["bytes"] + PROTOCOL
    first = HOP * bad + wire + task["time-out"]
    last = first + (task["damaged"] - 1) * (wire + task["time-out"])
    answers = {
        "first_resend": first,
        "last_resend": last,
        "deliver": last + HOP * (hops - bad) + task["bytes"],
        "invalid_hops": task["damaged"] * (hops - bad - 1),
        "timeout": math.ceil((task["down_until"] - HOP * bad) / task["most_copies"]) - wire,
    }
    return {"answers": "".join(f"{key} {value}\n" for key, value in answers.items())}


def changed(files, key, change):
    """Return the files with another number for one key."""
    lines = [line.split() for line in files["answers"].splitlines()]
    return {"answers": "".join(f"{name} {change(int(value)) if name == key else value}\n"
                               for name, value in lines)}


def short_timeout(task):
    """Return a time-out with one copy too many, of which the last arrives in time."""
    source = int(task["from"].split(",")[0])
    bad = (int(task["bad_link"].split(",")[0]) - source) % 16
    wire = task["bytes"] + PROTOCOL
    return math.ceil((task["down_until"] - HOP * bad) / (task["most_copies"] + 1)) - wire


def mistakes(task):
    """Return {rule: files that lose exactly this rule}."""
    files = solve(task)
    return {
        # counts from the beginning of the transmission
        "first_resend": changed(files, "first_resend", lambda tick: tick - task["bytes"] - PROTOCOL),
        # believes that the first copy is always good
        "last_resend": changed(files, "last_resend", lambda tick: tick - task["time-out"]),
        # forgets that the bytes follow the head
        "deliver": changed(files, "deliver", lambda tick: tick - task["bytes"]),
        # counts the link that damages, too
        "invalid_hops": changed(files, "invalid_hops", lambda count: count + task["damaged"]),
        # sends one copy too many
        "timeout": changed(files, "timeout", lambda _: short_timeout(task)),
        # sends the right number of copies, but the last one late
        "timeout ": changed(files, "timeout", lambda timeout: timeout + 200),
    }
