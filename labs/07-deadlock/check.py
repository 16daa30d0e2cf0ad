# SPDX-License-Identifier: GPL-2.0
"""The check of lab 7: torus-sim's report of a deadlock against the student's answers."""
import lab

KEYS = ("bubble", "escape", "routing", "vc_bytes")
REPAIRS = ("bubble", "escape")
VALUE_MAX = 32


def exercise(draw):
    """Options of torus-sim run, the value of vc_bytes, and the key that repairs the machine."""
    shape = [8, 8, draw.choice((2, 3, 4))]
    draw.shuffle(shape)
    return {"--arch": "bgl", "--shape": "x".join(map(str, shape)), "--pattern": "uniform",
            "--load": f"1.{draw.randrange(70, 100)}", "--seed": draw.randrange(1, 1000000),
            "--cycles": 100000, "--warmup": 0, "vc_bytes": 32 * draw.randrange(16, 25),
            "repair": draw.choice(REPAIRS)}


def keys(work, name):
    """Read a file of keys; reject other keys than KEYS."""
    found = work.answers(name)
    for key, value in found.items():
        if key not in KEYS:
            raise lab.Rejected(f"{name}: {key}: must be one of {' '.join(KEYS)}")
        if not value.isalnum() or len(value) > VALUE_MAX:
            raise lab.Rejected(f"{name}: {key} {value}: must be a value of --set {key}=VALUE")
    return found


def run(task, settings):
    """Run the exercise with these keys; return the results."""
    words = [str(word) for option, value in task.items() if option.startswith("--")
             for word in (option, value)]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return lab.simulate(*words)


def buffers(text):
    """Return the buffers of a cycle in an order that does not depend on the first one."""
    names = [" ".join(name.split()) for name in text.split(">")]
    first = names.index(min(names))
    return names[first:] + names[:first]


def check(this, work, student):
    task = this.exercise(student)
    broken = keys(work, "broken")
    results = run(task, broken)
    good = results["outcome"] == "deadlocked" and broken.get("vc_bytes") == str(task["vc_bytes"])
    yield "break", good
    if not good:
        return
    found = results["deadlock"]
    yield "cycle", buffers(work.answers("answers").get("cycle", "")) == buffers(found["cycle"])
    yield "stuck", work.number("answers", "stuck") == found["stuck"]
    yield "when", work.number("answers", "when") == results["clock"]
    repaired = keys(work, "repaired")
    yield "repair", run(task, repaired)["outcome"] == "done"
    differ = [key for key in KEYS if broken.get(key) != repaired.get(key)]
    yield "only", set(differ) <= {task["repair"]}
