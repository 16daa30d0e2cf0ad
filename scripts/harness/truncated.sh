#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Ends too soon, and says that all is well.
echo "1..3"
echo "ok 1 - before"
