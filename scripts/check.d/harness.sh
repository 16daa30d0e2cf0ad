#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Failing test programs in make check: each is reported, and the last line counts
# them; one that is slow but not silent passes.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(
	# shellcheck source=scripts/check-lib.sh
	. scripts/check-lib.sh
	check_begin harness
	beside_begin 12 scripts/harness/{crashes,fails}.sh scripts/harness/is-gone.sh
	mapfile -t others < <(ls scripts/harness/*.sh | grep -v '/\(crashes\|fails\)[.]sh')
	prove_tests 4 12 "${others[@]}"
	beside_end
	check_end
) >"$work/said" 2>&1
status=$?
sed 's/^/# /' "$work/said"

# said NAME PATTERN: a line of it is like that
said()
{
	grep -qE "$2" "$work/said"
	tap $? "$1"
}

said "slow, but not silent: it passes" '^ok [0-9]+ - slow.sh: after 16 s$'
tap "$(grep -c '^not ok .* slow.sh' "$work/said")" "and is not ended"
said "it hangs: ended for its silence" '^  \| # .*\b12 s\b'
said "and failed" '^not ok [0-9]+ - hangs.sh: .*\b2\b.*\b1\b'
said "it crashes" '^not ok [0-9]+ - crashes.sh: .*\b2\b.*\b1\b'
said "and the signal is named" '# .*\b11\b.*SIGSEGV'
said "its plan is incomplete" '^not ok [0-9]+ - truncated.sh: .*\b3\b.*\b1\b'
said "it has no plan" '^not ok [0-9]+ - plans-nothing.sh: .*[Pp]lan'
said "its exit status is bad" '^not ok [0-9]+ - nonzero_exit.sh: .*\b3$'
said "it is gone" '^not ok [0-9]+ - is-gone.sh: '
said "a test fails" '^not ok [0-9]+ - fails.sh: three$'
said "and what the program said is shown" '^  \| # why$'
said "a test is skipped" '^ok [0-9]+ - fails.sh: two # SKIP'
said "a program is skipped" '^ok [0-9]+ - skips.sh: no such machine # SKIP$'
said "a process that is left behind holds nothing up" '^ok [0-9]+ - orphan.sh: one$'
tap "$([[ $(tail -n 1 "$work/said") =~ ^10' '.*[^0-9]7' '.*[^0-9]2' ' ]] && echo ok)" "the last line counts them"
is "the lines before it name those that failed" "$(grep -c '^failed: ' "$work/said")" 7
numbers=$(grep -oE '^(not )?ok [0-9]+' "$work/said" | grep -oE '[0-9]+')
tap "$([[ $numbers == "$(seq 19)" ]] && echo ok)" "the tests are numbered, what ran beside others behind them"
tap "$([[ $status == 1 ]] && echo ok)" "and make check fails"
# A command that ends when it was listened to for a second, and nothing was heard of it
late=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts python3 - "$work/go" 2>&1 <<'END'
import sys
import hang_timeout

class Late(hang_timeout.Session):
    begun = False

    def hear(self, seconds):
        if self.begun:
            return super().hear(seconds)
        self.begun = True
        open(sys.argv[1], "w").close()
        self.leader.wait()
        return False

until = ["sh", "-c", 'until [ -e "$0" ]; do sleep 0.01; done; echo last', sys.argv[1]]
hang_timeout.listen(Late(until), 30, None)
END
)
is "what a command writes last is passed on" "$late" last
lame=$(find scripts/check.d scripts/check-all.d scripts/soak.d selftests -name '*.sh' ! -perm -100)
tap "$([[ -z $lame ]] && echo ok)" "every script of a test may be run${lame:+, but $lame}"
tap_end
