#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The machine's own registers of a device through its regmap: they equal those of torusctl, and
# dumps of debugfs change nothing. Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pr)
one=$bus/devices/pr:0.0.0
debug=/sys/kernel/debug/regmap/pr:0.0.0-dcr

# dcr NUMBER: the value by the regmap
dcr()
{
	echo "dcr $1" >"$one/test" && echo "$(<"$one/test")"
}

# batch WORDS: the commands `WORDS NUMBER' of torusctl for the numbers on the standard input; each
# line of them may have a second word
batch()
{
	sed "s/^/$1 /" >"$work/batch" && "$torusctl" -b "$work/batch"
}

"$torusctl" fabric add pr arch bgl shape 4x4x4
port_load bounce=0
"$torusctl" node set pr 0-1 driver on
bind_test pr:0.0.0 pr:1.0.0
"$torusctl" reg list pr | grep '^0x' >"$work/list"
numbers=() clears=()
while read -r reg name rest; do
	numbers+=("$reg")
	[[ $rest != *'cleared by reading'* ]] || clears+=("$reg")
done <"$work/list"
tap "$( ((${#numbers[@]} > 50 && ${#clears[@]} >= 10)) && echo ok)" \
	"${#numbers[@]} registers, of which a read clears ${#clears[@]}"

# fill: other values than at boot, which differ in the registers that a read clears
fill()
{
	local reg value=100

	for reg in "${clears[@]}"; do
		value=$((value + 1))
		echo "$reg $value"
	done | batch "reg write pr 0"
	"$torusctl" reg write pr 0 watermarks_0 0x12345678
}

fill
for reg in "${numbers[@]}"; do
	dcr "$reg"
done >"$work/by_regmap"
fill
printf '%s\n' "${numbers[@]}" | batch "reg read pr 0" >"$work/by_torusctl"
diff "$work/by_regmap" "$work/by_torusctl" >"$work/diff"
equal=$?
tap "$( ((equal == 0 && $(wc -l <"$work/by_regmap") == ${#numbers[@]})) && echo ok)" \
	"$(wc -l <"$work/by_regmap") registers are equal"
sed 's/^/# /' "$work/diff"
tap "$(like 0x00000077 "$work/by_regmap" && like 0x12345678 "$work/by_regmap" && echo ok)" \
	"among them those that were written"
for reg in "${clears[@]}"; do
	dcr "$reg"
done >"$work/cleared"
tap "$( (($(grep -cx 0x00000000 "$work/cleared") == ${#clears[@]})) && echo ok)" \
	"a read has cleared ${#clears[@]} registers"
tap "$(dcr 0x3ff >/dev/null 2>&1 || echo ok)" "a register that does not exist"

[[ -d /sys/kernel/debug/regmap ]] || mount -t debugfs none /sys/kernel/debug
fill
for file in registers access name range; do
	cat "$debug/$file" >"$work/$file"
done
shown=$(wc -l <"$work/registers")
tap "$( ((shown == ${#numbers[@]} - ${#clears[@]})) && echo ok)" \
	"debugfs shows $shown registers: not those that a read clears"
printf '%s\n' "${numbers[@]}" | batch "reg read pr 0" >"$work/after"
tap "$(cmp "$work/after" "$work/by_torusctl" >"$work/out" 2>&1 && echo ok)" \
	"dumps of debugfs have changed nothing $(<"$work/out")"
tap_end
