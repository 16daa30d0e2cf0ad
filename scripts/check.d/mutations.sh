#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lists of make mutate: each rule cites a paper or a public header, its test exists, and the
# text that it replaces stands exactly once in its function.
exec "$(dirname "${BASH_SOURCE[0]}")/../mutate.sh" --texts
