# SPDX-License-Identifier: GPL-2.0
# Two processes on two nodes: the second one says something, the first one checks it.
import os
import sys

import torus

TEXT = b"hello from Python"
MEMBERS = [(0, 0), (3, 0)]

child = os.fork()
rank = 0 if child else 1
with torus.attach("t", MEMBERS[rank][0]) as context, \
        torus.open_job(context, 0xc0ffee, MEMBERS) as job:
    if rank == 0:
        heard = bytes(job.receive(source=1, tag=7, timeout=60).data)
        print(heard.decode())
    else:
        heard = TEXT
        job.send(0, TEXT, tag=7)
    job.barrier(timeout=60)
    job.flush(timeout=60)
if child:
    os.wait()
sys.exit(heard != TEXT)
