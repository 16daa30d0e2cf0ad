#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl save, restore, diff and -b against the loaded module: what is saved comes back
# after the module was unloaded, whole fabrics or none, and every error of a file is reported.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t u a b ok)
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
cd "$work" || exit 1

ctl()
{
	"$torusctl" "$@"
}

# ends NAME STATUS WORD...: torusctl ends so; what it says lies in out and err
ends()
{
	local name=$1 wanted=$2 status=0

	shift 2
	ctl "$@" >out 2>err || status=$?
	if ((status == wanted)); then
		tap ok "$name"
	else
		tap bad "$name"
		sed "s/^/# status $status: /" out err | head -20
	fi
}

# same NAME FILE FILE
same()
{
	local verdict=ok

	diff "$2" "$3" >differ || verdict=bad
	tap $verdict "$1"
	sed 's/^/# /' differ | head -20
}

# A configuration written by hand, with every kind of line
cat >written <<'END'
# Two machines.
fabric add t arch bgl shape 4x4x4 mesh z seed 7 domains 2 \
	routing deterministic ber 1e-6 rx_stall 5000
reg write t 1,2,3 timeout_x 0x08000800	# one node
reg write t all bypass_thresholds.d0 5
reg write t 0-3,0,0 watermarks_0.reception 9
reg write t 5 arbitration.full 100
reg write t 5 arbitration.disable_x+ 1
reg write t 7 link_control.stop_receive_y- 1
node set t 0-3,0,0 uid 1000 partition 2
node set t 9 partition 77
node set t 1,1,1 state dead
link set t 2,2,2 x- sender off
link set t 0,0,0 y+ ber 1e-4 corrupt 3 drop-ack 2 escape 1
link set t 3,3,3 y- ber 0 delay 12 corrupt-ack 4
link set t 0,1,0 y+ ecc-single 1 ecc-double 2 parity 3
link set t 3,0,0 x+ state down
link set t 0,0,0 x+ state down at 2000 for 3000
link set t all all delay 10 at 700 for 500
link set t 2,0,0 all ber 1e-3 corrupt 5 at 90000

fabric add u arch kncube shape 4x8 "seed" 3 vc_delay 2
END
sed -i 's/ vc_delay 2//' written
ends "restore: a configuration written by hand" 0 restore written
tap "$([[ ! -s out && ! -s err ]] && echo ok)" "restore: it says nothing"
ctl -j link show t >links1
ctl -j node show t >nodes1
for n in 0 1 5 7 27 63; do ctl -j reg dump t $n; done >regs1
ctl -j fabric show >fabrics1
ends "save" 0 save
cp out saved
tap "$(grep -qx 'reg write t all bypass_thresholds 0x057f7f7f' saved && echo ok)" \
	"save: nodes that are alike share a line"
tap "$(grep -qx 'link set t 2,2,2 x- sender off' saved &&
	grep -qx 'reg write t 1,1,0 arbitration .*' saved || grep -qx 'node set t 1,1,1 state dead' saved &&
	! grep -q 'arbitration.*1,1,1' saved && echo ok)" "save: senders have lines of their own"
tap "$([[ $(grep -c '^reg write t .*arbitration' saved) == 1 ]] && echo ok)" \
	"save: what a dead node has switched off is not saved for its neighbours"
ends "diff: nothing differs from what was saved" 0 diff saved
tap "$([[ ! -s out ]] && echo ok)" "diff: it says nothing"
ends "diff: nor from what was written" 0 diff written

# Faults that have begun are saved as they were set, and the link as it is without them.
ends "link set for a while, at once" 0 link set t 1,0,0 x- state down ber 0.25 for 100000
ends "save" 0 save t
tap "$(grep -qx 'link set t 1,0,0 x- state down ber 0.25 for 100000' out &&
	! grep -q '^link set t 1,0,0 x- state down$' out && echo ok)" \
	"save: a fault in effect is no state of the link"
ends "fabric del" 0 fabric del t
ends "fabric del" 0 fabric del u

# The module goes, and comes back.
rmmod torus && insmod "$module"
tap "$([[ $? == 0 ]] && echo ok)" "the module was unloaded and loaded"
ends "restore from standard input" 0 restore - <saved
ctl -j link show t >links2
ctl -j node show t >nodes2
for n in 0 1 5 7 27 63; do ctl -j reg dump t $n; done >regs2
ctl -j fabric show >fabrics2
same "the links are the same" links1 links2
same "the nodes are the same" nodes1 nodes2
same "the registers are the same" regs1 regs2
same "the fabrics and their keys are the same" fabrics1 fabrics2
ctl save >again
same "saved again it is the same" saved again

# save reads nothing that reading clears.
ctl reg write t 0 retries_xp 5
ctl save >/dev/null
tap "$([[ $(ctl reg read t 0 retries_xp) == 0x00000005 ]] && echo ok)" "save: counts are not cleared"

# What differs
ctl link set t 0,0,0 y+ state down
ctl reg write t 8-11 timeout_y 0x01000100
ctl node set t 9 partition 78
ends "diff: it ends with 1" 1 diff saved
cat >wanted <<'END'
-reg write t 8-11 timeout_y 0x01000100
-node set t 1,2,0 partition 78
-link set t 0,0,0 y+ state down ber 0.0001 corrupt 3 escape 1 drop-ack 2
+node set t 1,2,0 partition 77
+link set t 0,0,0 y+ ber 0.0001 corrupt 3 escape 1 drop-ack 2
END
same "diff: what differs" wanted out
ends "diff: one fabric that does not differ" 0 diff saved u
ctl -j diff saved >out
tap "$([[ $(value "$work/out" 'd["equal"] is False and len(d["here"]) == 3 and len(d["file"]) == 2') == True ]] &&
	echo ok)" "diff: as JSON"
"$top/build/torusd" apply saved >out 2>err
tap "$([[ $? == 1 && ! -s err ]] && grep -q '^-link set t' out && grep -q '^+link set t' out && echo ok)" \
	"torusd apply: what differs, and status 1"
sed 's/^/# /' out
sed -n '/ u /p' saved >same
"$top/build/torusd" apply same >out 2>err
tap "$([[ $? == 0 && $(<out) == "u: exists already and is not changed" ]] && echo ok)" \
	"torusd apply: what does not differ: $(<out)"
ends "diff: a file that makes no sense ends with 2" 2 diff /dev/null/none
printf 'fabric add t arch mars shape 4\n' >bad
ends "diff: likewise" 2 diff bad

# Names that are there are refused, and nothing else happens.
printf 'fabric add ok arch bgl shape 2x2x2\nfabric add t arch bgl shape 2x2x2\n' >bad
ends "restore: a fabric that is there" 1 restore bad
tap "$(blames "$(cat err)" "torusctl: bad:2: fabric add: fabric t exists" && echo ok)" \
	"restore: $(cat err)"
tap "$(! ctl fabric show ok >/dev/null 2>&1 && echo ok)" "restore: nothing was made"
ctl fabric del t
ctl fabric del u

# Every error of a file
cat >bad <<'END'
fabric add a arch bgl shape 4x4x4 colour 3 routing sideways ber 2
reg write a 9,9,9 timeout_x 1
reg write a 0 timeout_x 1
fish
link set a 0 x+ ber 2
fabric add b arch mars shape 4
node set b 0 state ill
node set b 0 state dead
node set c 0 state dead
traffic a --pattern uniform --load 1
fabric add a arch bgl shape 2x2x2
reg write a 0 "timeout_x
reg write a 0 arbitration.fill 3
fabric show a
counter
END
ends "restore: a file with errors" 2 restore bad
blames_each "$(cat err)" "torusctl: bad:1: fabric add: colour bgl
torusctl: bad:1: fabric add: routing sideways dynamic deterministic
torusctl: bad:1: fabric add: ber 2 0 1
torusctl: bad:2: reg write: node 9,9,9 x a 0 3
torusctl: bad:3: reg write: timeout_x 0x00000001 1 65535
torusctl: bad:4: fish fabric node job reg link route
torusctl: bad:5: link set: ber 2 0 1
torusctl: bad:6: fabric add: arch mars bgl kncube
torusctl: bad:7: node set: state ill dead alive failed
torusctl: bad:9: node set: fabric c line
torusctl: bad:10: --pattern configuration option
torusctl: bad:11: fabric add: fabric a line 1
torusctl: bad:12: quote \" line
torusctl: bad:13: reg write: register arbitration fill disable_x+ disable_x- disable_y+ disable_y- disable_z+ disable_z- full rand hpinj
torusctl: bad:14: fabric: show add set
torusctl: bad:15: counter fabric node job reg link route"
tap $? "restore: all errors, each with its line"
sed 's/^/# /' err
tap "$([[ ! -s out && $(ctl -j fabric show) == "[]" ]] && echo ok)" "restore: nothing was made"
ctl -j restore bad 2>err
tap "$(says "$(head -n 1 err)" 'colour bgl "object":"fabric","command":"add","file":"bad","line":1} {"error":' &&
	echo ok)" "restore: errors as JSON"
ends "restore: a file that is not there" 2 restore none
tap "$(blames "$(cat err)" "torusctl: restore: none No such file or directory" && echo ok)" "$(cat err)"
ends "restore: an empty file" 0 restore /dev/null

# A right that is missing
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	-- "$torusctl" restore - <saved 2>err
tap "$([[ $? == 1 && $(wc -l <err) == 1 ]] && grep -q CAP_NET_ADMIN err && echo ok)" \
	"nobody: $(cat err)"

short_end
# -b: one after the other, whatever was made before stays
cat >batch <<'END'
fabric add t arch bgl shape 4x4x4
link set t 0 x+ state down
link set t 0 w+ state down
node set t 0 partition 3
END
ends "-b: the first that fails ends it" 2 -b batch
tap "$(blames "$(cat err)" "torusctl: batch:3: link set: direction w+ x+ x- y+ y-" &&
	[[ $(ctl -j link show t 0 x+) == *'"state":"down"'* ]] &&
	[[ $(ctl -j node show t 0) == *'"partition":0'* ]] && echo ok)" "-b: $(cat err)"
sed -i 1d batch
ends "-b -force: it goes on" 2 -force -b batch
tap "$([[ $(ctl -j node show t 0) == *'"partition":3'* ]] && echo ok)" "-b -force: the last was done"
{ echo "fabric show t"; echo "fabric show nobody"; } | ctl -j -b - >out 2>err
tap "$([[ $(wc -l <out) == 1 ]] && grep -q '"file":"stdin","line":2' err && echo ok)" \
	"-j -b -: a document a line"

# Ranges, fields
ends "several nodes" 0 reg write t 0-1,0,0-1 arbitration.hpinj 3
ctl reg read t 0-3,0,0 arbitration.hpinj | tr '\n' ' ' >out
tap "$([[ $(cat out) == "0,0,0 3 1,0,0 3 2,0,0 "*" 3,0,0 "* ]] && echo ok)" "a field of several: $(cat out)"
tap "$([[ $(ctl -j reg read t 0-3 timeout_x | tr ',' '\n' | grep -c '"value"') == 4 ]] && echo ok)" \
	"several as JSON"
ends "all nodes" 0 node set t all partition 5
tap "$([[ $(ctl -j node show t | tr ',' '\n' | grep -c '"partition":5') == 64 ]] && echo ok)" "all nodes"
ends "links of a range" 0 link set t all,0,0 x+ delay 9
tap "$([[ $(ctl link show t 0-3,0,0 x+ | grep -c 'delay 9') == 4 ]] && echo ok)" "links of a range"
tap "$([[ $(ctl link show t | grep -c 'delay 9') == 4 ]] && echo ok)" "no others"
ends "a range that is not there" 1 node show t 0-4,0,0
tap "$(says "$(cat err)" "node 0-4,0,0 x 4 t 0 3" && echo ok)" "$(cat err)"
ends "a field that is too small" 2 reg write t 0 arbitration.hpinj 32
tap "$(says "$(cat err)" "arbitration.hpinj 32 0 31" && echo ok)" "$(cat err)"
ctl -d reg dump t 0 >out
tap "$(grep -q '^     disable_x+ 0 ' out && grep -q ' hpinj 3$' out && grep -q 'arbitration .*\* 0x.* at boot' out &&
	echo ok)" "a dump that is decoded"

tap_end
