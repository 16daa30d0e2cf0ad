#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What scripts/equal.list has is what it was, or a rule of scripts/equal.before says why not.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

dir=build/check-equal-before
mkdir -p "$dir"

said=$(scripts/equal_before.py)
tap $? "every result that is not what it was has its rule"
grep -v '^ok' <<<"$said" | sed 's/^/# /'

# told WORDS FILE EDIT: lists with that edit are not as they should be
told()
{
	local words=$1 said

	cp scripts/equal.list scripts/equal.before "$dir/"
	sed -i "$3" "$dir/equal.$2"
	said=$(scripts/equal_before.py "$dir" 2>&1)
	[[ $? == 1 && $said == *"$words"* ]]
	tap $? "told: $words"
}

hot='run --arch bgl --shape 5x4x3 --pattern hotregion --packets 3'
told 'delivery changed by no rule' list "/$hot/s/[0-9a-f]\{16\} run/0123456789abcdef run/"
told 'answer changed by no rule' before 's/^peak /- /'
told 'answers as before' before "s/^- \(.*alltoall.log\)/peak \1/"
told 'there is no rule speed' before "s/^- /speed /"
told 'changes no run' before "\$arule none answer: nothing"
told 'only in one of the lists' list "/$hot/d"
told 'its fields are not some of' before "\$arule none hash: nothing"

tap_end
