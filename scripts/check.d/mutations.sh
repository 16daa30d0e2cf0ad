#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lists of make mutate: each text stands exactly once in its file, and the tables of
# the READMEs are the lists'.
exec "$(dirname "${BASH_SOURCE[0]}")/../mutate.sh" --texts
