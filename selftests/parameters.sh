#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module's parameters: defaults and ranges are those that modinfo tells, and what is out
# of range is refused, with the value and the range in the kernel's log.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
parameters=/sys/module/torus/parameters

# write NAME VALUE
write()
{
	(echo "$2" >"$parameters/$1") 2>"$work/said"
}

# refused NAME VALUE MIN MAX
refused()
{
	local before

	before=$(cat "$parameters/$1")
	! write "$1" "$2" || { echo "$2 was taken" && return 1; }
	[[ $(cat "$parameters/$1") == "$before" ]] || { echo "it has changed" && return 1; }
	says "$(dmesg | tail -n 3 | grep -F "torus: $1=$2: ")" "$3 $4" ||
		{ dmesg | tail -n 3 && return 1; }
}

# held NAME DEFAULT MIN MAX
held()
{
	local value

	[[ $(cat "$parameters/$1") == "$2" ]] || { echo "it is $(cat "$parameters/$1")" && return 1; }
	for value in "$3" "$4" "$2"; do
		write "$1" "$value" || { cat "$work/said" && return 1; }
		[[ $(cat "$parameters/$1") == "$value" ]] || return
	done
	(($3 == 0)) || refused "$1" $(($3 - 1)) "$3" "$4" || return
	refused "$1" $(($4 + 1)) "$3" "$4" && refused "$1" many "$3" "$4"
}

rmmod torus && insmod "$module" || skip_all "the module is in use"
count=0
while read -r name default min max; do
	step "$name: default $default, $min to $max" held "$name" "$default" "$min" "$max"
	count=$((count + 1))
done < <(modinfo -F parm "$module" |
	sed -n 's/^\(\w*\):.*(default \([0-9]*\); \([0-9]*\) to \([0-9]*\)) (.*/\1 \2 \3 \4/p')
((count >= 8))
tap $? "$count parameters have a range"
rmmod torus
out=$(insmod "$module" spin_us=10001 2>&1)
status=$?
[[ $status != 0 && $out == *"out of range"* && ! -d /sys/module/torus ]]
tap $? "insmod spin_us=10001 is refused: $out"
insmod "$module" spin_us=10000
tap $? "insmod spin_us=10000 is not"
rmmod torus && insmod "$module"
tap $? "and the module is back"

tap_end
