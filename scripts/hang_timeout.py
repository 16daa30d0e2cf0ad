#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""hang_timeout.py SECONDS [--file FILE] COMMAND [ARGUMENT]...

Runs a command, and ends it when it hangs.

What the command writes is passed on as it comes. It hangs when it has written nothing, on
either output or to FILE, for SECONDS. Time in which one of its processes wanted a processor and had
none does not count, nor does time in which the whole machine stood still, so that a loaded
machine ends nothing that an idle one would let live.

Exit status: the command's, 128 and the signal that ended it, 124 when it hung, 127 when it
cannot be run. What the command leaves running is ended with it.
"""
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

TICK_SECONDS = 1.0
# No look at a command takes longer, unless the machine has stood still.
LOOK_SECONDS = 3.0
# Nobody looks at the processes of a command that was heard of this recently.
CALM_SECONDS = 5.0
# What a command has left running may write this long after its end.
LINGER_SECONDS = 5.0
PR_SET_PDEATHSIG = 1
HERTZ = os.sysconf("SC_CLK_TCK")


def fields(path):
    """The fields of a stat file from the state on, or None when the task is gone"""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


class Session:
    """The command, and all that it starts."""

    def __init__(self, command):
        # One pipe, where both outputs go to one place: so their order stays.
        one = os.path.sameopenfile(1, 2)
        self.leader = subprocess.Popen(command, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT if one else subprocess.PIPE,
                                       start_new_session=True)
        self.pipes = {self.leader.stdout.fileno(): 1}
        if not one:
            self.pipes[self.leader.stderr.fileno()] = 2

    def hear(self, seconds):
        """Passes on what comes within some seconds, if anything does"""
        ready, _, _ = select.select(list(self.pipes), [], [], seconds)
        for pipe in ready:
            text = os.read(pipe, 65536)
            if not text:
                del self.pipes[pipe]
            while text:
                text = text[os.write(self.pipes[pipe], text):]
        return bool(ready)

    def processes(self):
        found = []
        for name in os.listdir("/proc"):
            stat = name.isdigit() and fields(f"/proc/{name}/stat")
            if stat and int(stat[3]) == self.leader.pid and stat[0] != "Z":
                found.append((name, stat))
        return found

    def work(self):
        """Seconds of processor time so far, and does a thread want a processor?"""
        ticks, wants = 0, False
        for pid, stat in self.processes():
            # of itself, and of children that it has waited for
            ticks += sum(int(value) for value in stat[11:15])
            try:
                threads = os.listdir(f"/proc/{pid}/task")
            except OSError:
                continue
            for thread in threads:
                state = fields(f"/proc/{pid}/task/{thread}/stat")
                wants = wants or bool(state and state[0] == "R")
        return ticks / HERTZ, wants

    def end(self):
        for sent in (signal.SIGTERM, signal.SIGKILL):
            for pid, _ in self.processes():
                try:
                    os.kill(int(pid), sent)
                except OSError:
                    pass
            for _ in range(50):
                if self.leader.poll() is not None and not self.processes():
                    return
                time.sleep(0.1)


def length(file):
    """Bytes of a file that a command writes besides, if there is one"""
    try:
        return os.stat(file).st_size if file else 0
    except OSError:
        return 0


def listen(session, limit, file):
    """Passes on what the command writes, until it ends. False: it hung."""
    silent, worked, linger, written = 0.0, None, None, length(file)
    then = time.monotonic()
    while session.pipes or session.leader.poll() is None:
        # Asked before it is listened to: what it has written last is in its pipe by then.
        over = session.leader.poll() is not None
        heard = session.hear(TICK_SECONDS)
        now = time.monotonic()
        # Time in which this program did not run itself is nobody's silence.
        passed = min(now - then, LOOK_SECONDS)
        if over:
            linger = linger or now + LINGER_SECONDS
            if not heard or now > linger:
                break
        if heard or written != length(file):
            silent, worked, written = 0.0, None, length(file)
        elif silent < CALM_SECONDS:
            silent += passed
        else:
            work, wants = session.work()
            if wants and worked is not None:
                passed = min(passed, max(work - worked, 0.0))
            silent, worked = silent + passed, work
            if silent >= limit:
                return False
        then = now
    return True


def main(arguments):
    if len(arguments) < 2 or not arguments[0].isdigit():
        print("usage: hang_timeout.py SECONDS [--file FILE] COMMAND [ARGUMENT]...", file=sys.stderr)
        return 2
    limit, command, file = int(arguments[0]), arguments[1:], None
    if command[0] == "--file" and len(command) > 2:
        file, command = command[1], command[2:]
    try:
        session = Session(command)
    except OSError as error:
        print(f"# cannot run {command[0]}: {error.strerror}")
        return 127

    def stop(number, _):
        session.end()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    # Whoever waits for it is gone: so is its use.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    heard = listen(session, limit, file)
    session.end()
    if not heard:
        print(f"# silent for {limit} s: ended", flush=True)
        return 124
    code = session.leader.returncode
    if code < 0:
        print(f"# ended by signal {-code} ({signal.Signals(-code).name})", flush=True)
        return 128 - code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
