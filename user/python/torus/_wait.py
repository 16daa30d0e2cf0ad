# SPDX-License-Identifier: GPL-2.0
"""Time limits in seconds, and calls that a signal has interrupted."""

import errno
import math
import select
import time

from . import _library as c

INT_MAX = 2**31 - 1


def milliseconds(timeout):
    """For the library: None is without limit."""
    if timeout is None:
        return -1
    if timeout < 0:
        raise ValueError(f"a time limit of {timeout} s: at least 0 is wanted, None is without")
    return min(math.ceil(timeout * 1000), INT_MAX)


SLEEP_MS = 250


def watch(call, timeout, context):
    """As again(), for calls that may wait for long: sleeps in Python, which a signal ends
    whenever it comes.  The library has the last word when the time is over."""
    end = time.monotonic() + timeout if timeout is not None else None
    milliseconds(timeout)
    if timeout == 0:
        return c.check(call(0))
    poll = select.poll()
    poll.register(context.fileno(), select.POLLIN | select.POLLHUP)
    while True:
        result = call(0)
        if result not in (-errno.EAGAIN, -errno.EINTR):
            return c.check(result)
        left = SLEEP_MS if end is None else (end - time.monotonic()) * 1000
        if left <= 0:
            return again(call, 0.001)
        poll.poll(min(left, SLEEP_MS if not context.sending else 1))


def again(call, timeout):
    """Calls call(milliseconds) until it is not interrupted by a signal: Python's handlers
    run in between, so that Ctrl-C raises KeyboardInterrupt out of a call that waits."""
    left = milliseconds(timeout)
    end = time.monotonic() + timeout if left > 0 else None
    while True:
        result = call(left)
        if result != -errno.EINTR:
            return c.check(result)
        if end is not None:
            left = max(milliseconds(max(end - time.monotonic(), 0)), 1)
