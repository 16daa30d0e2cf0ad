#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Hands the terminal on standard input to the VM (see vm.sh): every key as it is
typed, and the size whenever it changes.

    vm-terminal.py PARENT INPUT CONTROL

Ctrl-] twice within a second ends PARENT.  The terminal is as before when this
program ends.
"""

import os
import signal
import sys
import termios
import time
import tty

TERMINAL = 0
ESCAPE = 0x1D  # Ctrl-]
ESCAPE_SECONDS = 1.0


def end(_signal, _frame):
    """Ends the program by way of main()'s finally."""
    sys.exit(0)


def write_all(file, data):
    """Writes the whole of data, of which a pipe may take less at once."""
    while data:
        data = data[os.write(file, data):]


def tell_size(control):
    """Tells the guest the terminal's size."""
    size = os.get_terminal_size(TERMINAL)
    write_all(control, b"%d %d\n" % (size.lines, size.columns))


def pass_keys(parent, keys):
    """Passes keys on until the terminal closes."""
    escaped = -ESCAPE_SECONDS
    while True:
        data = os.read(TERMINAL, 4096)
        if not data:
            return
        for key in data:
            if key != ESCAPE:
                continue
            if time.monotonic() - escaped < ESCAPE_SECONDS:
                os.kill(parent, signal.SIGTERM)
                return
            escaped = time.monotonic()
        write_all(keys, data)


def main():
    """The terminal is raw from here to the end."""
    parent = int(sys.argv[1])
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, end)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    saved = termios.tcgetattr(TERMINAL)
    try:
        tty.setraw(TERMINAL)
        keys = os.open(sys.argv[2], os.O_WRONLY)
        control = os.open(sys.argv[3], os.O_WRONLY)
        signal.signal(signal.SIGWINCH, lambda *_: tell_size(control))
        tell_size(control)
        pass_keys(parent, keys)
    except (BrokenPipeError, OSError):
        pass
    finally:
        termios.tcsetattr(TERMINAL, termios.TCSADRAIN, saved)


main()
