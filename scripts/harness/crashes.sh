#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Dies between two tests.
echo "1..2"
echo "ok 1 - before"
kill -SEGV $$
