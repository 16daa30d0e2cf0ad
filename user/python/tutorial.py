# SPDX-License-Identifier: GPL-2.0
"""
Programs on the nodes of a torus, in Python: a tutorial in cells.

A cell begins with "# %%": editors that know notebooks run them one by one.  As a whole it
is a job of two or more ranks:

    torus-run -f FABRIC -n 8 python3 tutorial.py
"""
# %% A job
# torus-run has put this process's place into the environment; init() returns when all
# ranks are there, however late each of them started.
import torus

job = torus.init(timeout=120)
here = job.context
if job.rank == 0:
    print(f"{job.size} ranks on fabric {here.fabric}, "
          f"a {here.arch} of {'x'.join(map(str, here.dims))} nodes")

# %% A message
# Bytes of any length, to a rank, with a tag for the receiver to choose by.
if job.rank == 0:
    job.send(1, b"good morning", tag=7)
if job.rank == 1:
    message = job.receive(source=0, tag=7)
    print(f"rank 1 got {message.data.decode()!r} from rank {message.source}")

# %% What comes from anybody
# Every rank tells rank 0 where it is; the messages come in any order.  The tag keeps them
# apart from what a rank that is ahead sends next.
if job.rank == 0:
    places = {0: here.coords}
    for _ in range(job.size - 1):
        message = job.receive(tag=1)
        places[message.source] = tuple(message.data)
    print("rank 1 is at", places[1], "and the last one at", places[job.size - 1])
else:
    job.send(0, bytes(here.coords), tag=1)

# %% Without waiting
# start() returns at once; the message goes on its way while other calls are made.
right, left = (job.rank + 1) % job.size, (job.rank - 1) % job.size
under_way = job.start(right, job.rank.to_bytes(4, "big") * 1000, tag=2)
got = job.receive(source=left, tag=2).data
under_way.wait()
assert got == left.to_bytes(4, "big") * 1000

# %% All together
# A barrier; and a piece for each rank, from each rank.
job.barrier()
pieces = job.alltoall([bytes([job.rank, rank]) for rank in range(job.size)])
assert pieces == [bytes([rank, job.rank]) for rank in range(job.size)]
if job.rank == 0:
    print("everybody has got everybody's piece")

# %% What goes wrong is an exception
# It has an errno and says why.
try:
    job.receive(source=0, tag=99, timeout=0.1)
except torus.TimeOut as error:
    if job.rank == 0:
        print("nothing came:", type(error).__name__)

# %% Simulated time
# The clock is the fabric's: it moves while packets do.  An answer comes later than its
# question was sent.
before = here.clock
if job.rank == 0:
    job.send(1, b"what time is it?", tag=8)
    job.receive(source=1, tag=8)
    print("the clock has moved:", here.clock > before, f"(a tick is {here.tick_ns:.3f} ns)")
if job.rank == 1:
    job.receive(source=0, tag=8)
    job.send(0, b"later", tag=8)

# %% The end
# All have what they wait for before anybody leaves.
job.barrier()
job.close()
