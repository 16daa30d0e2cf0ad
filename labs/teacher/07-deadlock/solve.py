# SPDX-License-Identifier: GPL-2.0
"""Solution of lab 7: the answers are those of torus-sim's report."""
import lab

GOOD = {"bubble": "full", "escape": "dateline"}


def broken(task):
    return {"bubble": "one", "routing": "deterministic", "vc_bytes": str(task["vc_bytes"])}


def repaired(task):
    return {**broken(task), task["repair"]: GOOD[task["repair"]]}


def text(values):
    return "".join(f"{key} {value}\n" for key, value in values.items())


def solve(task):
    """Return the files of a solution."""
    words = [str(word) for option, value in task.items() if option.startswith("--")
             for word in (option, value)]
    for key, value in broken(task).items():
        words += ["--set", f"{key}={value}"]
    results = lab.simulate(*words)
    found = results["deadlock"]
    return {
        "broken": text(broken(task)),
        "answers": text({"cycle": found["cycle"], "stuck": found["stuck"], "when": results["clock"]}),
        "repaired": text(repaired(task)),
    }


def mistakes(task):
    """Return {rule: files that lose exactly this rule}."""
    files = solve(task)
    answers = dict(line.split(maxsplit=1) for line in files["answers"].splitlines())

    def with_answer(key, value):
        return {**files, "answers": text({**answers, key: value})}
    return {
        # names the buffers against the direction in which they wait
        "cycle": with_answer("cycle", " > ".join(reversed(answers["cycle"].split(" > ")))),
        # counts only the cycle
        "stuck": with_answer("stuck", 8),
        # takes the length of the requested window
        "when": with_answer("when", task["--cycles"]),
        # repairs nothing
        "repair": {**files, "repaired": text(broken(task))},
        # changes the routing, too
        "only": {**files, "repaired": text({**repaired(task), "routing": "dynamic"})},
    }
