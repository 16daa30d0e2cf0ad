# SPDX-License-Identifier: GPL-2.0
# Two ranks send each other 100000 bytes, and look at each that comes.
import sys

import torus


def pattern(rank):
    return bytes((i * 7 + rank) % 256 for i in range(100000))


with torus.init(timeout=60) as job:
    peer = 1 - job.rank
    job.send(peer, pattern(job.rank), tag=1)
    heard = job.receive(source=peer, tag=1, timeout=60).data
    job.barrier(timeout=60)
    job.flush(timeout=60)
    if heard != pattern(peer):
        sys.exit(f"rank {job.rank}: wrong in Python")
    print(f"rank {job.rank}: {len(heard)} bytes in Python")
