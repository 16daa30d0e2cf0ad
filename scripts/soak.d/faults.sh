#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Random faults on links: one delivery hash and the same counters in any number of domains.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/faults.py "${FAULTS_DRAWS:-400}"
