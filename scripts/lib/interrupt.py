#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""interrupt.py COMMAND [ARGUMENT]...: interrupts it at work; 0 when it then ends with 130."""
import signal
import subprocess
import sys
import time

run = subprocess.Popen(sys.argv[1:],
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1.5)
run.send_signal(signal.SIGINT)
sys.exit(run.wait() != 130)
