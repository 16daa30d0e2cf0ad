# SPDX-License-Identifier: GPL-2.0
"""
Programs on the nodes of a simulated torus network, by libtorus(3).

    import torus

    with torus.init() as job:                   # started by torus-run
        if job.rank == 0:
            job.send(1, b"hello", tag=7)
        else:
            print(job.receive(source=0).data)
        job.barrier()

Time limits are in seconds, None is without.  What fails raises torus.Error, which has the
errno and the library's words; torus.TimeOut if the time is over, and its kind torus.WouldBlock
if a limit of 0 leaves no time to wait.
"""

from ._library import Damaged, Error, TimeOut, WouldBlock
from ._version import __version__
from .context import DYNAMIC, FIFO_ANY, ORDERED, PRIORITY, Context, Fabric, attach
from .job import ANY, Envelope, Job, Message, Send, draw_key, init, open_job

__all__ = [
    "ANY", "DYNAMIC", "FIFO_ANY", "ORDERED", "PRIORITY", "Context", "Damaged", "Envelope",
    "Error", "Fabric", "Job", "Message", "Send", "TimeOut", "WouldBlock", "attach",
    "draw_key", "init", "open_job",
]
