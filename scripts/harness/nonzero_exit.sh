#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Its tests pass, its exit status says otherwise.
echo "1..1"
echo "ok 1 - one"
exit 3
