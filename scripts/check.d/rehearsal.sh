#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusd check, torusctl --check and torusctl fabric keys without the module: wrong files are rejected
# with FILE:LINE, the reason and status 2, good ones are accepted.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

top=$PWD/build
[[ -x $top/torusd && -x $top/torusctl ]] || skip_all "torusd or torusctl is not built"
[[ ! -d /sys/module/torus ]] || skip_all "the module is loaded"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

good="fabric add t arch bgl shape 4x4x4 seed 7
fabric set t no_listener hold
node set t 1,1,1 uid 0 partition 3
node set t 2,2,2 state dead
reg write t 0-3,1,0 timeout_x 0x08000700
reg write t 0 arbitration.full 100
link set t 0-3,0,0 x+ ber 1e-5
link set t 0,0,0 y+ state down at 2000 for 3000
fabric add x arch xt shape 4x4x4
route load x tables
fabric add o arch tofu shape 2x2x2
job add o j view 2x3x2
fabric add k arch kncube shape 8x8"
"$top/torusctl" route dump arch xt shape 4x4x4 >tables
sed 's/4x4x4/4x4x3/' tables >other
head -c 1000 tables >cut

# wrong REASON LINE: the good file and this line are rejected for the line, whose number is 14
wrong()
{
	local status=0 said

	printf '%s\n%s\n' "$good" "$2" >conf
	said=$("$top/torusd" check conf 2>&1) || status=$?
	tap "$( ((status == 2)) && blames "$said" "torusd: conf:14: $1" && echo ok)" "$2: $said"
}

printf '%s\n' "$good" >conf
said=$("$top/torusd" check conf 2>&1)
tap "$([[ $? == 0 && -z $said ]] && echo ok)" "a good file: $said"

wrong "fabric add: arch mars bgl xt" "fabric add n arch mars shape 4x4x4"
wrong "fabric add: shape 4x4x0 z" "fabric add n arch bgl shape 4x4x0"
wrong "fabric add: ber 2 0 1" "fabric add n arch bgl shape 2x2x2 ber 2"
wrong "fabric add: routing sideways dynamic deterministic" \
	"fabric add n arch bgl shape 2x2x2 routing sideways"
wrong "fabric add: colour bgl" "fabric add n arch bgl shape 2x2x2 colour 3"
wrong "fabric add: fabric t line 1" "fabric add t arch bgl shape 2x2x2"
wrong "fabric add: name letter digit" "fabric add a/b arch bgl shape 2x2x2"
wrong "fabric add: MiB" "fabric add n arch kncube shape 1024x1024x1024"
wrong "fabric set: escape_order new" "fabric set t escape_order direction"
wrong "node set: node 9,9,9 x 0 3" "node set t 9,9,9 state dead"
wrong "node set: state ill dead alive failed" "node set t 0 state ill"
wrong "node set: partition 1 job j" "node set o 0 partition 1"
wrong "node set: group 9" "node set t 0 driver on group 9"
wrong "node set: kncube driver" "node set k 0 driver on"
wrong "node set: dead" "node set t 2,2,2 driver on"
wrong "node set: fabric c line" "node set c 0 state dead"
wrong "job add: view t bgl" "job add t k view 2x3x2"
wrong "job add: VIEW 2 node" "job add t k view 2x2 nodes 0 1"
wrong "reg write: register nothing" "reg write t 0 nothing 1"
wrong "reg write: timeout_x 1 65535" "reg write t 0 timeout_x 1"
wrong "reg write: arbitration fill full" "reg write t 0 arbitration.fill 3"
wrong "reg write: kncube register" "reg write k 0 timeout_x 1"
wrong "link set: delay 2^64" "link set t 0 x+ delay 99999s"
wrong "link set: direction t 3 dimension" "link set t 0 a+ state down"
wrong "link set: drop-nack bgl" "link set t 0 x+ drop-nack 3"
wrong "route load: none No such file" "route load x none"
wrong "route load: cut JSON" "route load x cut"
wrong "route load: other z 3" "route load x other"
wrong "route load: t bgl table" "route load t tables"
wrong "fish fabric node job reg link route" "fish"

# Each wrong line of a file, once
printf 'fabric add t arch bgl shape 2x2x2 ber 2 seed x\nlink set t 0 x+ ber 2\nfish\n' >conf
said=$("$top/torusctl" --check -b conf 2>&1)
tap "$([[ $? == 2 && $(wc -l <<<"$said") == 3 ]] && echo ok)" "each wrong line of a file, once"
sed 's/^/# /' <<<"$said"
said=$("$top/torusctl" restore conf 2>&1)
tap "$([[ $? == 2 && $(wc -l <<<"$said") == 3 ]] && echo ok)" "restore reports the same lines"

# A job that is rejected takes no node.
printf 'fabric add t arch bgl shape 4x4x4\nnode set t 3 state dead\njob add t j nodes 0 3\njob add t k nodes 0\n' >conf
said=$("$top/torusd" check conf 2>&1)
tap "$([[ $? == 2 ]] && blames_each "$said" "torusd: conf:3: job add: node 3 dead" && echo ok)" \
	"a rejected job takes no node: $said"

# rejects REASON WORD..., accepts WORD...: torusctl --check
rejects()
{
	local status=0 said

	said=$("$top/torusctl" --check "${@:2}" 2>&1) || status=$?
	tap "$( ((status == 2)) && blames "$said" "torusctl: $1" && echo ok)" "--check ${*:2}: $said"
}
accepts()
{
	local said

	said=$("$top/torusctl" --check "$@" 2>&1)
	tap "$([[ $? == 0 && -z $said ]] && echo ok)" "--check $*: $said"
}

accepts fabric add t arch bgl shape 4x4x4 ber 1e-6
rejects "fabric add: ber 2 0 1" fabric add t arch bgl shape 4x4x4 ber 2
accepts link set t 0 x+ state down
rejects "link set: ber 3 0 1" link set t 0 x+ ber 3
rejects "fabric: show add set" fabric show t

for arch in bgl xt tofu kncube; do
	"$top/torusctl" -j fabric keys $arch >keys
	tap "$([[ $? == 0 && $(python3 -c 'import json
print(len(json.load(open("keys"))) > 10)') == True ]] && echo ok)" "fabric keys $arch"
done
tap_end
