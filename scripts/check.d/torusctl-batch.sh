#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl -b: what a line is, and that every refusal names the file and the line, in plain text
# and as JSON; all of it without the module.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

torusctl=$(realpath "${TORUSCTL:-build/torusctl}")
[[ -x $torusctl ]] || skip_all "$torusctl is not built"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# batch NAME STATUS REASONS OPTION...: the file f, which is made of the standard input, ends so
# and prints a line for each reason
batch()
{
	local name=$1 wanted=$2 text=$3 output status=0

	shift 3
	cat >"$work/f"
	output=$(cd "$work" && "$torusctl" "$@" -b f 2>&1) || status=$?
	if ((status == wanted)) && blames_each "$output" "$text"; then
		tap ok "$name"
	else
		tap bad "$name"
		printf 'status %d\n%s\nwanted:\n%s\n' "$status" "$output" "$text" | sed 's/^/# /'
	fi
}

link="torusctl link check FABRIC"
batch "nothing but comments and blank lines" 0 "" <<'END'
# a comment

   # another
END
batch "a line, its comment, and a last line without its end" 0 "$link"$'\n'"$link" < <(
	printf 'help link check # why\n\n\t help   link\tcheck')
batch "a line that goes on, in a word and between words" 0 "$link" <<'END'
help \
  li\
nk \
	check
END
batch "quotes and backslashes" 0 "$link" <<'END'
"help" 'li'nk ch\e"ck"
END
batch "a continued line has the number of its first" 2 \
	'torusctl: f:2: fabric show: a b' <<'END'
# 1
fabric show \
	t0 'a b'
END
batch "# within a word and in quotes is no comment" 2 \
	'torusctl: f:1: fabric show: c#d' <<'END'
fabric show "#" c#d # e
END
batch "an empty word is a word" 2 'torusctl: f:1: fabric show: fabric name empty' <<'END'
fabric show ""
END
batch "a quote that is not closed" 2 \
	"torusctl: f:2: quote '" <<'END'

fabric show 'a
help
END
batch "the first line that fails ends it" 2 \
	"$link"$'\n''torusctl: f:2: fish fabric node unit job reg link traffic counter health monitor capture explain top route save restore diff' <<'END'
help link check
fish
help link check
END
batch "-force goes on, and ends as the first that failed" 2 \
	'torusctl: f:1: link set: ber 2 0 1
torusctl: f:2: quote "
torusctl: f:3: node set: uid partition state evict missing
'"$link" -force <<'END'
link set t all all ber 2
fabric "
node set t 0
help link check
END
batch "errors as JSON" 2 \
	'ber 2 0 1 "object":"link","command":"set","file":"f","line":2} "error":' \
	-j <<'END'

link set t all all ber 2
END
batch "a line that is tested before it is executed" 2 \
	'torusctl: f:2: fabric replace: ber 2 0 1' <<'END'

fabric replace t arch bgl shape 2x2x2 ber 2
END
batch "a file of commands names no other" 2 \
	'torusctl: f:1: -b: file' <<'END'
-b f
END
batch "a byte 0 is rejected" 2 'torusctl: f:1: byte 0' < <(printf 'help\0\n')
output=$(echo "help link check" | "$torusctl" -b - 2>&1)
tap "$([[ $? == 0 && $output == "$link" ]] && echo ok)" "-b -: standard input"
output=$("$torusctl" -b "$work/none" 2>&1)
tap "$([[ $? == 2 ]] && blames "$output" "torusctl: $work/none No such file or directory" && echo ok)" \
	"a file that is not there: $output"
output=$("$torusctl" -b 2>&1)
tap "$([[ $? == 2 ]] && blames "$output" "torusctl: -b: file missing" && echo ok)" \
	"-b without a file: $output"
output=$("$torusctl" -j link set t all all ber 2 2>&1 >/dev/null)
tap "$(blames "$output" 'ber 2 0 1 "object":"link","command":"set"} "error":' && echo ok)" \
	"an error as JSON, without a file: $output"
output=$("$torusctl" -o help link 2>&1)
tap "$([[ $output == *'ecc-double N |\        parity N'* ]] && ! grep -q '^ ' <<<"$output" && echo ok)" \
	"-o: what takes several lines stands in one"

tap_end
