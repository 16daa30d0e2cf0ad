#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A fabric's state with its workload goes from torus-sim into the kernel and back: the run ends
# with the hash of the unbroken one.  What is damaged, or has what no file holds, is refused.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH
fabrics=(s0 s1 s2)
damage=$top/selftests/state_damage.py
header=$top/include/uapi/linux/torus.h
holder=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $holder ]] || kill "$holder" 2>/dev/null
	tidy
}

# hash_of COMMAND...: of the document that it prints
hash_of()
{
	timeout -k 5 60 "$@" 2>"$work/err" | sed -n 's/.*"delivery_hash": *"\([0-9a-f]*\)".*/\1/p'
}

# refused WORDS COMMAND...: ends with 1, with these words on its error output
refused()
{
	local words=$1 said status=0 verdict=ok

	shift
	said=$("$@" 2>&1 >/dev/null </dev/null) || status=$?
	[[ $status == [12] ]] && says "$said" "$words" || verdict=bad
	tap $verdict "refused: $words"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "$said"
}

# tick_of FILE: at which a state was saved; it stands behind the options
tick_of()
{
	local bytes

	bytes=$(od -An -tu4 -j52 -N4 "$1")
	od -An -tu8 -j$((56 + bytes + 24)) -N8 "$1" | tr -d ' '
}
midway=0

# Of a run to its end, the same to a random tick and on in the kernel; from a tick there on in
# torus-sim again.
# moves NAME WORD...
moves()
{
	local name=$1 ticks whole at clock
	shift

	timeout -k 5 100 torus-sim run "$@" --seed 7 --json >"$work/whole"
	whole=$(hash_of cat "$work/whole")
	ticks=$(sed -n 's/.*"clock": *\([0-9]*\).*/\1/p' "$work/whole")
	# in the second half, so that it is the only one
	at=$((ticks / 2 + RANDOM * (ticks / 40) / 32768 + 1))
	rm -f "$work/state" "$work/back"
	torus-sim run "$@" --seed 7 --checkpoint "$work/state" --every "$at" >/dev/null
	torusctl fabric load-state s0 "$work/state" 2>"$work/err" &&
		torusctl fabric save-state s0 "$work/back" 2>>"$work/err"
	tap $? "$name: loaded at tick $at, and saved"
	sed 's/^/# /' "$work/err"
	is "$name: the kernel goes on with torus-sim's state" \
		"$(hash_of torusctl -j traffic s0 --follow)" "$whole"
	sed 's/^/# /' "$work/err"
	is "$name: torus-sim goes on with the kernel's" \
		"$(hash_of torus-sim run --restore "$work/back" --domains 3 --apart --json)" "$whole"
	sed 's/^/# /' "$work/err"
	torusctl fabric del s0
	clock=$(tick_of "$work/back")
	echo "# $name: in the kernel from tick $at, out of it at tick $clock, of $ticks"
	((midway += clock < ticks))
}

torusctl fabric add s0 arch kncube shape 2x2 || skip_all "no fabric"
torusctl fabric del s0
seed=${STATE_SEED:-$((10#$(date +%N) % 32768))}
RANDOM=$seed
echo "# STATE_SEED=$seed"

window=(--pattern uniform --warmup 2000 --cycles)
moves kncube --arch kncube --shape 4x4x4 --load 0.7 "${window[@]}" 2500000
moves "kncube, finite" --arch kncube --shape 4x4 --load 0.9 --set buffers=finite \
	--set routing=adaptive "${window[@]}" 1500000
moves "bgl, faults" --arch bgl --shape 4x4x2 --load 0.6 --size 32:256 "${window[@]}" 800000 \
	--fault "all all ber 1e-6" --fault "3 x+ state down at 300000 for 250000" \
	--fault "all y- delay 40 at 30000 for 770000" --fault "9 y- corrupt 5 at 600000"
moves "bgl, some links" --arch bgl --shape 4x4x2 --pattern hotregion --load 0.4 \
	--set region=2x2x2 --set region_at=1,1,0 --set share=0.25 --cycles 4000000 \
	--fault "5 all ber 1e-5"
moves "bgl, closed loop" --arch bgl --shape 4x4x2 --pattern uniform --packets 6000 \
	--set reply=64 --set outstanding=3 --set pacing=0.6
moves xt --arch xt --shape 4x3x3 --load 0.5 --size 16:72 "${window[@]}" 2400000
moves tofu --arch tofu --shape 2x1x2 --load 0.5 --set path=hash "${window[@]}" 900000
moves "hot spot, bursts" --arch kncube --shape 4x4 --load 0.3 --pattern hotspot \
	--set "hot=0,0 3" --set share=0.125 --set burst=4 --set arrivals=bernoulli \
	--cycles 12000000 --warmup 2000
((midway >= 3))
tap $? "saved in the middle of a run: $midway of 8"

short_end
# Tables that wait, in the kernel too; pairs of a file
printf '0 5 3\n7 2\n1 0 2\n' >"$work/pairs"
for words in "--arch xt --shape 4x3x3 --pattern uniform --load 0.4 --table $work/tables at 9500" \
	"--arch kncube --shape 4x4 --pattern file:$work/pairs --load 0.5"; do
	torusctl route dump arch xt shape 4x3x3 policy one >"$work/tables"
	read -ra words <<<"$words --seed 3 --cycles 14000 --warmup 1000"
	torus-sim run "${words[@]}" --checkpoint "$work/state" --every 8000 >/dev/null
	torusctl fabric load-state s0 "$work/state"
	is "${words[*]:0:6}: the kernel goes on" "$(hash_of torusctl -j traffic s0 --follow)" \
		"$(hash_of torus-sim run "${words[@]}" --json)"
	torusctl fabric del s0
done

# A workload of torusctl's own, with a fault that is set while it runs
long=(--pattern uniform --load 0.4 --cycles 4000000 --warmup 2000 --seed 5)
torusctl fabric add s0 arch bgl shape 4x4x2 domains 2
torusctl -j traffic s0 "${long[@]}" >"$work/end" 2>"$work/err" &
holder=$!
until torusctl fabric show s0 | grep -q running; do
	kill -0 $holder 2>/dev/null || break
	sleep 0.1
done
torusctl link set s0 3 y+ ber 1e-6
torusctl link set s0 5 all delay 30 for 60000
torusctl fabric save-state s0 "$work/back"
tap $? "a running traffic is saved"
(($(tick_of "$work/back") < 4002000))
tap $? "in the middle: at tick $(tick_of "$work/back")"
wait $holder
holder=""
hash=$(sed -n 's/.*"delivery_hash": *"\([0-9a-f]*\)".*/\1/p' "$work/end")
is "torus-sim ends it as the kernel does" \
	"$(hash_of torus-sim run --restore "$work/back" --json)" "$hash"
sed 's/^/# /' "$work/err"
torusctl fabric load-state s1 "$work/back"
is "and so does another fabric" "$(hash_of torusctl -j traffic s1 --follow)" "$hash"
torusctl fabric del s1

# Who follows leaves it alone
torusctl traffic s0 --pattern uniform --load 0.1 --cycles 1000000000 >/dev/null 2>&1 &
holder=$!
until torusctl fabric show s0 | grep -q running; do
	kill -0 $holder 2>/dev/null || break
	sleep 0.1
done
timeout -s INT 1 torusctl traffic s0 --follow >/dev/null 2>"$work/said"
says "$(<"$work/said")" "tick workload"
tap $? "who follows may leave"
kill $holder
wait $holder
holder=""

# ------------------------------------------------------------------- refused

refused "fabric s0 exists" torusctl fabric load-state s0 "$work/back"
refused "load-state file missing" torusctl fabric load-state s1
refused "$work/no No such file or directory" torusctl fabric load-state s1 "$work/no"
refused "$work/no/no No such file or directory" \
	torusctl fabric save-state s0 "$work/no/no"
refused "/proc/cpuinfo state file" torusctl fabric load-state s1 /proc/cpuinfo
refused "CAP_NET_ADMIN" setpriv --reuid 65534 --clear-groups \
	torusctl fabric save-state s0 /tmp/state-of-nobody
torusctl fabric reset s0
refused "workload fabric s0" torusctl fabric save-state s0 "$work/no"
refused "--follow workload" \
	torusctl traffic s0 --follow --pattern uniform --load 0.5
refused "workload fabric s0" torusctl traffic s0 --follow
small=(--pattern uniform --load 0.5 --cycles 3000 --warmup 100 --seed 3)
torus-sim run --arch kncube --shape 3x3 "${small[@]}" --series 4 --checkpoint "$work/state" \
	--every 2000 >/dev/null
refused "series 4 module" \
	torusctl fabric load-state s1 "$work/state"
torus-sim run --arch kncube --shape 3x3 "${small[@]:0:6}" --warmup auto --seed 3 \
	--checkpoint "$work/state" --every 2000 >/dev/null
refused "warmup auto module" \
	torusctl fabric load-state s1 "$work/state"
torusctl traffic s0 "${small[@]}" >/dev/null
torusctl reg write s0 3 arbitration.full 100
refused "state register" \
	torusctl fabric save-state s0 "$work/no"
torusctl fabric del s0
torusctl fabric add s0 arch xt shape 3x3x2
torusctl route dump arch xt shape 3x3x2 policy one >"$work/tables"
torusctl route load s0 "$work/tables"
torusctl traffic s0 "${small[@]}" --size 64 >/dev/null
refused "routing table new fabric" \
	torusctl fabric save-state s0 "$work/no"
torusctl fabric del s0
torusctl fabric add s0 arch kncube shape 4x4
torusctl traffic s0 --pattern "file:$work/pairs" --load 0.5 --cycles 1000 >/dev/null
refused "workload table pair file" \
	torusctl fabric save-state s0 "$work/no"
torusctl fabric del s0
torusctl fabric add s0 arch bgl shape 2x2x2 time virtual
torusctl traffic s0 "${small[@]}" >/dev/null
refused "state s0 time virtual" torusctl fabric save-state s0 "$work/no"
torusctl fabric del s0
# Whoever captures has its eyes on the fabric, and a new one is not what it looks at
torusctl fabric add s0 arch bgl shape 2x2x2
torusctl traffic s0 "${small[@]}" >/dev/null
torusctl capture s0 -w "$work/capture" 2>/dev/null &
holder=$!
for ((i = 0; i < 50; i++)); do
	torusctl fabric save-state s0 "$work/seen" 2>/dev/null || break
	sleep 0.1
done
refused "state capture s0" \
	torusctl fabric save-state s0 "$work/no"
kill $holder
wait $holder 2>/dev/null
holder=""
torusctl fabric del s0
[[ ! -e $work/no ]]
tap $? "nothing is left of a file that could not be written"

# Programs come when a workload has ended, and while they are there
torusctl fabric add s0 arch bgl shape 2x2x2
torusctl traffic s0 "${small[@]}" >/dev/null
torus-run -f s0 -n 2 torus-pingpong -s 1 -r 1 >/dev/null
refused "s0 workload program" torusctl fabric save-state s0 "$work/no"
refused "s0 workload program" torusctl traffic s0 --follow
torus-run -f s0 -n 2 torus-pingpong -s 1 -r 1000000 >/dev/null &
holder=$!
for ((i = 0; i < 100; i++)); do
	[[ $(torus-info -j s0) != *'"free":14'* ]] || break
	sleep 0.1
done
says "$("$damage" "$header" s0)" "state 2 context s0"
tap $? "a program is attached"
kill $holder
wait $holder 2>/dev/null
holder=""
torusctl fabric del s0

# Options that torus-sim would not have written
# options OPTIONS WORDS
options()
{
	"$damage" "$1" >"$work/options"
	refused "$2" torusctl fabric load-state s2 "$work/options"
}
options "[]" "option JSON object"
options "{" "option JSON memory"
options '{"set":[]}' "set [] object"
options '{"table":{}}' "table {} list"
options '{"table":[{}]}' "table {} file missing"
options '{"table":[{"file":"f","at":"5q"}]}' "table f at 5q tick"
options "{\"table\":[$(printf '"f",%.0s' {1..64})\"f\"]}" "table f 64"
options "{\"set\":{$(printf '"seed%d":1,' {1..64})\"last\":1}}" "64 parameter"

# ------------------------------------------------------------------- damaged

words=(--arch bgl --shape 2x2x2 "${small[@]}")
whole=$(hash_of torus-sim run "${words[@]}" --json)
torus-sim run "${words[@]}" --checkpoint "$work/state" --every 2000 >/dev/null
torusctl fabric load-state s0 "$work/state"
torusctl fabric add s1 arch bgl shape 2x2x2 seed 3
while read -r verdict name; do
	tap "$verdict" "$name"
done < <("$damage" "$header" s0 s1 "$work/state" "${STATE_TRIES:-300}")
is "the fabric that refused them all takes the whole one" \
	"$(hash_of torusctl -j traffic s1 --follow)" "$whole"
head -c 3000 "$work/state" >"$work/cut"
refused "state file section" torusctl fabric load-state s2 "$work/cut"
refused "fabric s2" torusctl fabric show s2

tap_end
