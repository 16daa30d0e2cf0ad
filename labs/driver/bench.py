#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Inside the VM: run the scenario of a lab with each driver, and write the rules that it keeps.

	bench.py JOB [shell]

JOB is a file of JSON that host.py writes. For each driver, lines of JSON are written to
/results/NAME.jsonl: a rule that is decided, a message, a call that does not return, or the end. With the
word shell, a shell is started when the first driver is bound.
"""
import importlib.util
import json
import os
import pathlib
import random
import re
import select
import socket
import subprocess
import sys
import time

BUS = pathlib.Path("/sys/bus/torus")
LAB = pathlib.Path("/sys/kernel/debug/torus_lab")
SLAB = pathlib.Path("/sys/kernel/debug/slab")
KMEMLEAK = pathlib.Path("/sys/kernel/debug/kmemleak")
LIMIT = 25			# seconds after which a call does not return any more
SETTLE = 5			# seconds after which a call that has not returned is taken to wait
LEAK_AGE = 6			# seconds until kmemleak counts memory as leaked
FIFO_STRIDE = 0x10
FILL_MAX = 100			# packets, more than FIFO or ring hold
FIFOS = 14			# reception FIFOs of both groups
HEADER = 2			# words of a packet that the hardware may change
FABRIC_CPU, DRIVER_CPU = 1, 0	# a handler that waits for the fabric must not stop it


class Hang(Exception):
    """A call of the driver does not return; the text names it."""


class Failed(Exception):
    """The scenario cannot continue; the text says why."""


def wait(condition, limit=LIMIT):
    """Wait until a condition holds; return whether it does."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Worker:
    """A process that does what may not return."""

    def __init__(self, processor):
        ask, self.ask = os.pipe()
        self.reply, reply = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.ask)
            os.sched_setaffinity(0, {processor})
            self.serve(os.fdopen(ask), reply)
        os.close(ask)
        os.close(reply)
        self.text, self.idle = "", True

    @staticmethod
    def serve(asked, reply):
        for line in asked:
            os.write(reply, (json.dumps(Worker.do(*json.loads(line))) + "\n").encode())
        os._exit(0)

    @staticmethod
    def do(kind, *words):
        """Return an error number, and the numbers of a command's result."""
        try:
            if kind == "run":
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                return done.returncode, done.stderr
            if kind == "frame":
                with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as interface:
                    interface.bind((words[1], 0))
                    interface.send(bytes.fromhex(words[2]))
                return 0, []
            path = LAB / "command" if kind == "command" else words[1]
            handle = os.open(path, os.O_RDWR if kind == "command" else os.O_WRONLY)
            try:
                os.write(handle, words[0].encode())
                if kind == "command":
                    text = os.read(handle, 1024).decode().split()
                    return int(text[0]), [int(word, 16) for word in text[1:]]
                return 0, []
            finally:
                os.close(handle)
        except OSError as error:
            return -error.errno, []

    CALLS = {"unbind": "remove()", "drivers_probe": "probe()", "ip": "ndo_open()"}

    def start(self, *words):
        """Start a call; text names the driver's function that may not return.

        The result of the last call is discarded if nothing has read it.
        """
        if not self.idle:
            self.result()
        name = pathlib.Path(words[2]).name if words[0] == "write" else words[1].split()[0]
        self.text, self.idle = self.CALLS.get(name, f"{name}()"), False
        os.write(self.ask, (json.dumps(words) + "\n").encode())

    def done(self, limit=0):
        """Has the call returned?"""
        return bool(select.select([self.reply], [], [], limit)[0])

    def result(self, limit=LIMIT):
        if not self.done(limit):
            raise Hang(self.text)
        self.idle = True
        return json.loads(os.read(self.reply, 65536))

    def sleeps(self):
        """Does the process sleep, or has its call returned?"""
        state = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state in "SD"

    def settle(self):
        """Wait until the call sleeps, spins or has returned; return whether it has returned."""
        quiet, end = 0, time.monotonic() + SETTLE
        while quiet < 5 and not self.done() and time.monotonic() < end:
            quiet = quiet + 1 if self.sleeps() else 0
            time.sleep(0.02)
        return self.done()


class Bench:
    """A fabric with the student's node and others, and what a scenario does with them."""
    READ, WRITE, WRITTEN, UNBIND = 1, 2, 3, 4		# enum lab_event
    DELIVER, FINISH, MEET, LATE = 0, 1, 2, 3		# enum lab_action
    CONTROL, ENABLE, STATUS, ACKNOWLEDGE = 0x1010, 0x1104, 0x1100, 0x1108
    READABLE, WRITES_FULL, READS_EMPTY = 0x110c, 0x1114, 0x1118
    READ_DATA, LEVEL, WRITE_DATA, SPACE = 0x2000, 0x2004, 0x3000, 0x3004
    TAIL, HEAD, RECEIVE_TAIL, RECEIVE_HEAD = 0x800c, 0x8010, 0x840c, 0x8410
    ENODEV, LIMIT, Hang, Failed, wait = 19, LIMIT, Hang, Failed, staticmethod(wait)

    def __init__(self, job, driver):
        self.job = job
        self.driver = driver
        self.draw = random.Random(driver["seed"])
        self.workers = [Worker(DRIVER_CPU), Worker(FABRIC_CPU)]
        self.file = open(f"/results/{driver['name']}.jsonl", "w", encoding="utf-8")
        self.shape = [self.draw.randrange(3, 6) for _ in range(3)]
        self.coords = [self.draw.randrange(length) for length in self.shape]
        self.own = self.name(self.coords)
        self.peers = [self.name(self.neighbour(direction))
                      for direction in self.draw.sample(range(6), 3)]
        self.packets = 0

    def tell(self, **what):
        self.file.write(json.dumps(what) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())
        print("#", self.driver["name"], what, flush=True)

    # ------------------------------------------------------------------ the machine

    @staticmethod
    def name(coords):
        return "lab:" + ".".join(map(str, coords))

    def neighbour(self, direction):
        coords = list(self.coords)
        dim = direction // 2
        coords[dim] = (coords[dim] + 1 - 2 * (direction % 2)) % self.shape[dim]
        return coords

    @staticmethod
    def torusctl(*words):
        done = subprocess.run(["torusctl", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"torusctl {' '.join(words)}: {done.stderr}")

    def plug(self, name):
        """Put a node on the bus, and into the lab."""
        self.torusctl("node", "set", "lab", name[4:].replace(".", ","), "driver", "on")
        self.bind(name, "torus_lab")

    def open(self):
        self.torusctl("fabric", "add", "lab", "arch", "bgl", "shape",
                      "x".join(map(str, self.shape)), "seed", str(self.draw.randrange(1, 1000)))
        for name in [self.own, *self.peers]:
            self.plug(name)
        self.unbind(self.own)
        self.place()
        status, error = self.do("run", "insmod", self.driver["ko"])
        if status:
            raise Failed(f"the module cannot be loaded: {error.strip()}")

    @staticmethod
    def place():
        """Let the fabric have a processor for itself."""
        for path in pathlib.Path("/proc").glob("[0-9]*/comm"):
            if path.read_text().startswith("torus"):
                try:
                    os.sched_setaffinity(int(path.parent.name), {FABRIC_CPU})
                except OSError:
                    pass		# a work item's thread

    def close(self):
        self.unbind(self.own)
        self.do("run", "rmmod", pathlib.Path(self.driver["ko"]).stem)
        self.torusctl("fabric", "del", "lab")
        if not wait(lambda: not any(BUS.glob("devices/lab:*"))):
            raise Hang("remove()")

    # ------------------------------------------------------------------ what the driver does

    def do(self, *words, worker=0):
        """Do what may not return; return its result."""
        self.workers[worker].start(*words)
        return self.workers[worker].result()

    def bound(self, name=None):
        return (BUS / "devices" / (name or self.own) / "driver").exists()

    def bind(self, name=None, driver="lab"):
        """Bind a device to a driver; return whether it is bound."""
        name = name or self.own
        (BUS / "devices" / name / "driver_override").write_text(driver)
        self.do("write", name, str(BUS / "drivers_probe"))
        return self.bound(name)

    def unbind(self, name=None, worker=0):
        name = name or self.own
        driver = BUS / "devices" / name / "driver"
        if driver.exists():
            self.do("write", name, str(driver.resolve() / "unbind"), worker=worker)

    def unplug(self):
        """Take the student's node away, and wait until the driver's remove() has returned."""
        # The link of the bus is removed before remove() is called, the device itself afterwards.
        device = (BUS / "devices" / self.own).resolve()
        self.inject("unplug")
        if not wait(lambda: not device.exists()):
            waits = [worker.text for worker in self.workers if not worker.idle and not worker.done()]
            raise Hang(waits[0] if waits else "remove() of a node that is gone")

    def inject(self, *words):
        """Inject a fault into the student's node."""
        self.torusctl("node", "inject", "lab", self.own[4:].replace(".", ","), *words)

    def command(self, text):
        """A command that calls no function of the driver."""
        return Worker.do("command", text)

    def rebind(self):
        """Bind the driver again: its port is as after a reset."""
        self.unbind()
        if not self.bind():
            raise Failed("probe() has failed: the device is not bound")

    def register(self, offset, name=None):
        return self.command(f"register {name or self.own} {offset:x}")[1][0]

    def put(self, words, peer=0):
        """Send a packet from another node."""
        text = f"put {self.peers[peer]} " + " ".join(f"{word:x}" for word in words)
        if not wait(lambda: self.command(text)[0] == 0):
            raise Failed("another node cannot send: the network is full")

    def take(self, peer=0, limit=LIMIT):
        """Return the next packet that another node has received; [] if none comes."""
        got = []

        def taken():
            got[:] = self.command(f"take {self.peers[peer]}")[1]
            return bool(got)
        wait(taken, limit)
        return list(got)

    def start_send(self, words, worker=0):
        self.workers[worker].start("command", f"send {self.own} " +
                                   " ".join(f"{word:x}" for word in words))

    def send(self, words):
        """Let the driver send; return its result."""
        self.start_send(words)
        return self.workers[0].result()[0]

    def start_receive(self, worker=0):
        self.workers[worker].start("command", f"receive {self.own}")

    def receive(self):
        """Let the driver receive; return the packet, or [] if it returns none."""
        return self.do("command", f"receive {self.own}")[1]

    def received(self, worker=0):
        """Return the packet of a receive() that was started; [] if there is none, or none comes."""
        return self.workers[worker].result()[1] if self.workers[worker].done(LIMIT) else []

    def rescue(self, worker=0):
        """End a receive() that still waits, by removing the driver."""
        if not self.workers[worker].idle:
            self.unbind(worker=1 - worker)
            self.workers[worker].result()

    def fill(self, chunks):
        """Let the driver send while no packet leaves its FIFO or ring, until send() waits.

        Return the packets, and the results of all calls but the last one.
        """
        packets, results = [], []
        while len(packets) < FILL_MAX:
            packets.append(self.packet(self.peers[0], chunks))
            self.start_send(packets[-1])
            if not self.workers[0].settle():
                return packets, results
            results.append(self.workers[0].result()[0])
            if results[-1]:
                break
        return packets, results

    def full(self, stop=None, go=None, seconds=0):
        """Fill the FIFO or ring; return whether send() has waited, and all packets arrive in order.

        stop and go stop the packets and let them continue, by default the fabric; send() waits for at
        least the seconds.
        """
        (stop or self.pause)()
        packets, results = self.fill(7)
        calls = len(results) < len(packets)
        waited = calls and not self.workers[0].done(seconds)
        (go or self.resume)()
        if calls:
            results.append(self.workers[0].result()[0])
        right = waited and not any(results) and not self.register(self.WRITES_FULL) and \
            all(self.same(self.take(limit=10), packet) for packet in packets)
        # The next rule must not find the rest.
        while not right and self.take(limit=2):
            pass
        return right

    def receive_some(self, limit=LIMIT):
        """Let a driver that does not wait receive until there is a packet."""
        got = []

        def received():
            got[:] = self.receive()
            return bool(got)
        wait(received, limit)
        return list(got)

    def hook(self, event, offset, action, value=0, words=(), peer=0):
        text = f"hook {self.own} {event:x} {offset:x} {value:x} {action:x}"
        if words:
            text += f" /{self.peers[peer]} " + " ".join(f"{word:x}" for word in words)
        if self.command(text)[0]:
            raise Failed("the hook was rejected")

    def hooked(self):
        """Does the hook still wait?"""
        return self.command(f"hooked {self.own}")[0] != 0

    def clear(self):
        Worker.do("command", "clear")

    def record(self):
        """Return (write, offset, value, times, handler) of the accesses since clear()."""
        entries = []
        for line in (LAB / "record").read_text().splitlines():
            kind, offset, value, times, context = line.split()
            entries.append((kind == "w", int(offset, 16), int(value, 16), int(times), context == "h"))
        return entries

    def left(self):
        """Return the handlers that remove() has left, and the register ENABLE after it."""
        number, words = self.command(f"left {self.own}")
        return number, words[0]

    def packet(self, to=None, chunks=0, from_peer=0):
        """Return the words of a packet to another node, or to the student's."""
        coords = list(map(int, (to or self.own)[4:].split(".")))
        chunks = chunks or self.draw.randrange(1, 8)
        self.packets += 1
        head = [8 | ((chunks - 1) << 5 | 2) << 16 | coords[0] << 24, coords[1] | coords[2] << 8]
        return head + [self.draw.getrandbits(32) for _ in range(chunks * 8 - HEADER)]

    @staticmethod
    def same(got, sent):
        return len(got) == len(sent) and got[HEADER:] == sent[HEADER:]

    def arrived(self, chunks):
        """Wait until that many chunks are in the FIFOs of the student's node."""
        return wait(lambda: sum(self.register(LEVEL + FIFO_STRIDE * fifo) for fifo in range(FIFOS)
                                ) >= chunks)

    @staticmethod
    def data_registers():
        return range(Bench.READ_DATA, Bench.READ_DATA + FIFO_STRIDE * FIFOS, FIFO_STRIDE)

    def pause(self):
        self.torusctl("fabric", "pause", "lab")

    def resume(self):
        self.torusctl("fabric", "resume", "lab")

    # ------------------------------------------------------------------ leaks

    def begin_leaks(self):
        if KMEMLEAK.exists():
            KMEMLEAK.write_text("clear")
        self.kept = self.allocated()

    @staticmethod
    def allocated():
        """Return the number of objects that are allocated, by the driver's line."""
        found = {}
        for file in SLAB.glob("kmalloc-*/alloc_traces"):
            for line in file.read_text(errors="replace").splitlines():
                match = re.match(r"\s*(\d+) (\S+) \[lab_\w+\]", line)
                if match:
                    found[match[2]] = found.get(match[2], 0) + int(match[1])
        return found

    @staticmethod
    def messages():
        """Return the number of messages of the bus about mistakes of the driver."""
        text = subprocess.run(["dmesg"], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        return len(re.findall(r" lab:[0-9.]+: (?:DMA fault|unmap of|sync of|the driver has left)", text))

    def leaks(self, scan=True):
        """Return the places in the driver that have allocated memory which nothing has freed."""
        places = [place for place, number in self.allocated().items()
                  if number > self.kept.get(place, 0)]
        if scan and KMEMLEAK.exists():
            time.sleep(LEAK_AGE)
            KMEMLEAK.write_text("scan")
            KMEMLEAK.write_text("scan")
            for report in KMEMLEAK.read_text().split("unreferenced object")[1:]:
                places += re.findall(r"(\S+) \[lab_\w+\]", report)[:1]
        return sorted(set(places))


def log(text):
    pathlib.Path("/dev/kmsg").write_text(text + "\n")


def show_stacks():
    """Have the kernel print the stacks of all processors and of all tasks that wait."""
    # A loop that sleeps and reads is found in one of several prints, not in each.
    for key in "lwlwlw":
        pathlib.Path("/proc/sysrq-trigger").write_text(key)
        time.sleep(0.5)


def load(check):
    """Load the scenario of a lab."""
    spec = importlib.util.spec_from_file_location("scenario", check)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def insmod(*words):
    subprocess.run(["insmod", *words], check=True)


def run(job, driver):
    """Run the scenario with a driver; return whether the computer can be used afterwards."""
    module = load(driver["check"])
    insmod(f"{job['modules']}/torus_host.ko", f"bounce={int(driver['bounce'])}")
    insmod(job["lab_ko"])
    bench = Bench(job, driver)
    log(f"torus-lab {job['nonce']} begin {driver['name']}")
    healthy = True
    try:
        bench.open()
        for rule, passed in module.scenario(bench):
            bench.tell(rule=rule, passed=bool(passed))
        bench.close()
    except Failed as failed:
        bench.tell(message=str(failed))
        try:
            bench.close()
        except (Failed, Hang):
            healthy = False
    except Hang as hang:
        show_stacks()
        bench.tell(hang=str(hang))
        healthy = False
    log(f"torus-lab {job['nonce']} end {driver['name']}")
    bench.tell(end=True)
    return healthy and subprocess.run(["rmmod", "torus_lab", "torus_host"], check=False).returncode == 0


def shell(job, driver):
    """Bind a driver and become a shell."""
    insmod(f"{job['modules']}/torus_host.ko", f"bounce={int(driver['bounce'])}")
    insmod(job["lab_ko"])
    bench = Bench(job, driver)
    bench.open()
    print(f"fabric lab, your node {bench.own}, others: {' '.join(bench.peers)}\n"
          f"your driver is {'bound' if bench.bind() else 'not bound: see dmesg'}; "
          "exit ends the machine", flush=True)
    os.sched_setaffinity(0, range(os.cpu_count()))
    os.execvp("bash", ["bash", "--rcfile", "scripts/vm-bashrc", *(["-i"] if os.isatty(0) else [])])


def clean(job):
    """Has the kernel nothing to report?"""
    text = subprocess.run(["dmesg"], capture_output=True, text=True, errors="replace",
                          check=True).stdout.partition(f"torus-lab {job['nonce']} begin")[2]
    return not re.search(job["report"], text)


def main():
    os.sched_setaffinity(0, {FABRIC_CPU})
    job = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    os.environ["PATH"] = f"{job['tools']}:" + os.environ["PATH"]
    for name in ("torus", "torus_bus"):
        insmod(f"{job['modules']}/{name}.ko")
    sys.path.insert(0, job["labs"])
    sys.dont_write_bytecode = True
    if sys.argv[2:] == ["shell"]:
        shell(job, job["drivers"][0])
    for driver in job["drivers"]:
        if not run(job, driver) or not clean(job):
            break
    # Drivers that hang must not keep the VM from ending.
    os._exit(0)


if __name__ == "__main__":
    main()
