#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink family's YNL spec says what the header says, and a mistake in either is found.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/ynl.py include/uapi/operations.yaml
