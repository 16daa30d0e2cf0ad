# SPDX-License-Identifier: GPL-2.0
"""Time limits in seconds, and calls that a signal has interrupted."""

import errno
import math
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
