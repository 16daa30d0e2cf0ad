#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One test passes, one is skipped, one fails.
echo "1..3"
echo "ok 1 - one"
echo "ok 2 - two # SKIP not here"
echo "not ok 3 - three"
echo "# why" >&2
exit 1
