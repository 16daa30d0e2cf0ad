# SPDX-License-Identifier: GPL-2.0
"""Inside the VM, as root: one workload by the module, and by one that nobody can watch, in turns.

Each is loaded anew each time: where a module's code lies in memory is part of what is measured, and so
of the interval.
"""
import os
import subprocess

import paired
import vm_traffic

MODULES = {"with": "build/torus.ko", "without": os.environ["TORUS_WITHOUT"]}


def run(name):
    subprocess.run(["insmod", MODULES[name]], check=True)
    vm_traffic.torusctl("fabric", "add", vm_traffic.FABRIC, "arch", "bgl", "shape",
                        vm_traffic.SHAPE, "seed", "1")
    try:
        answer, rate = vm_traffic.module("256")
    finally:
        vm_traffic.torusctl("fabric", "del", vm_traffic.FABRIC)
        subprocess.run(["rmmod", "torus"], check=True)
    return answer["delivery_hash"], rate


def main():
    if os.path.isdir("/sys/module/torus"):
        subprocess.run(["rmmod", "torus"], check=True)
    calls = {name: lambda name=name: run(name) for name in MODULES}
    paired.in_turns(calls, 1)
    found = paired.in_turns(calls, vm_traffic.REPEATS)
    hashes = {answer for runs in found.values() for answer, _ in runs}
    rates = {name: [rate for _, rate in runs] for name, runs in found.items()}
    unit = os.environ.get("TORUS_UNIT", "a CPU-second")
    print(f"bgl {vm_traffic.SHAPE}, uniform, load {vm_traffic.LOAD}, in the VM: packet-hops "
          f"{unit} with what watches packets, which nobody does, beside without it; "
          f"median of {vm_traffic.REPEATS} paired ratios [quartiles]")
    digits = 2 if unit == "a CPU-second" else 4
    print(f"{paired.ratio_text(rates['with'], rates['without'], digits)} hashes "
          f"{'equal' if len(hashes) == 1 else 'DIFFER'}", flush=True)


if __name__ == "__main__":
    main()
