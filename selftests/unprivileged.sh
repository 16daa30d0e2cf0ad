#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A stranger, of another user, partition, namespace and without any capability, on a fabric with
# `attach owner watch owner isolate on`: attach, send, evict, stop, starve, read, learn are tried, and
# refused; and what is a user's own is not.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t)
owner=1000 stranger=65534 other=65533
admin="CAP_NET_ADMIN user namespace"

# as UID COMMAND...
as()
{
	setpriv --reuid="$1" --regid="$1" --clear-groups --inh-caps=-all --bounding-set=-all \
		"${@:2}"
}

# refuses WORDS COMMAND...: it fails, and says so
refuses()
{
	if "${@:2}" >"$work/out" 2>"$work/err"; then
		tap bad "it should have failed: ${*:2}"
	elif ! says "$(<"$work/err")" "$1"; then
		tap bad "${*:2}: $(head -c 300 "$work/err")"
	else
		tap ok "refused: ${*: -4}"
	fi
}

# works NAME COMMAND...
works()
{
	local verdict=ok

	"${@:2}" >"$work/out" 2>"$work/err" || verdict=bad
	tap $verdict "$1$(sed 's/^/: /' "$work/err" | head -1)"
}

# shellcheck disable=SC2317 # (called by refuses)
# rank UID NODE RANK: a process of torus-pingpong between nodes 0 and 2
rank()
{
	as "$1" env TORUS_FABRIC=t TORUS_NODE="$2" TORUS_RANK="$3" TORUS_SIZE=2 TORUS_KEY=7 \
		"TORUS_MEMBERS=0 $2" "$top/build/torus-pingpong"
}

chmod 666 /dev/torus
"$torusctl" fabric add t arch bgl shape 4x4x4 no_listener hold \
	attach owner watch owner isolate on ||
	skip_all "no fabric"
"$torusctl" node set t 0-1,0,0 uid $owner partition 1
"$torusctl" node set t 2,0,0 uid $stranger partition 2

# Attach
refuses "node 0,0,0 group 0 user" \
	as $stranger torus-run -f t --nodes 0,0,0 true
refuses "node 3,0,0 group 0 user" \
	as $stranger torus-run -f t --nodes 3,0,0 true
refuses "node 0 fabric t user" rank $stranger 0 0
refuses "node 0,0,0 user" \
	as $stranger unshare --user --map-root-user torus-run -f t --nodes 0,0,0 true
refuses "fabric t network namespace" \
	as $stranger unshare --user --map-root-user --net torus-run -f t --nodes 0,0,0 true
works "the owner's nodes are the owner's" as $owner torus-run -f t --nodes 0-1,0,0 true
works "the stranger's node is the stranger's" as $stranger torus-run -f t --nodes 2,0,0 true

# Send: node 2 is in another partition.
refuses "partition" rank $stranger 2 1

# Evict, stop: no command that changes anything, from wherever it comes
for words in "node set t 0 evict" "node set t 2 uid $stranger evict" "node set t 0 state dead" \
	"node set t 2 partition 1" "fabric set t attach any" "fabric set t inject hold" \
	"fabric reset t" "fabric del t" "link set t 0 x+ state down" "reg write t 0 timeout_x 0x08000800" \
	"fabric set t isolate off" "counter reset t" "job add t mine nodes 2" \
	"traffic t --pattern uniform --packets 1" "fabric save-state t $work/state" \
	"capture t count 1 -w -"; do
	read -ra list <<<"$words"
	refuses "$admin" as $stranger torusctl "${list[@]}"
done
refuses "$admin" as $stranger unshare --user --map-root-user torusctl node set t 0 evict

# Read, learn: nothing of the owner's nodes, nothing of the whole, nothing at all without a node
for words in "node show t 0" "link show t 0 x+" "link show t 0" "counter show t 0 x+" \
	"counter show t" "reg read t 0 timeout_x" "reg dump t 0"; do
	read -ra list <<<"$words"
	refuses "fabric t watch owner $admin" as $stranger torusctl "${list[@]}"
done
for words in "node show t" "link show t" "link check t" "job show t" "top t -n 1"; do
	read -ra list <<<"$words"
	refuses "fabric t watch owner $admin" as $other torusctl "${list[@]}"
done
refuses "fabric t event CAP_NET_ADMIN" as $stranger torusctl monitor t
is "a list of nodes has the stranger's own" \
	"$(as $stranger torusctl -br node show t | cut -d' ' -f1,2)" "2 2,0,0"
is "a list of links, too" \
	"$(as $stranger torusctl -j link show t | grep -o '"node":[0-9]*,' | sort -u)" '"node":2,'
works "the owner reads what is the owner's" as $owner torusctl node show t 0
works "an administrator all of it" torusctl counter show t
is "what goes on in the fabric is not told" \
	"$(as $stranger torusctl -j fabric show t | grep -oE '"(clock|in_flight|contexts)"')" ""
works "its shape is" as $stranger torusctl fabric show t

# Starve: the owner's programs run while the stranger asks for what is not his, and for his own
for ((bars = 0; bars < 2; bars++)); do
	(while as $stranger torus-run -f t --nodes 0,0,0 true || :; do :; done) >/dev/null 2>&1 &
done
works "the owner is not kept out" as $owner torus-run -f t --nodes 0-1,0,0 true
mapfile -t jobs < <(jobs -p)
kill "${jobs[@]}"
wait "${jobs[@]}" 2>/dev/null

# Events: an administrator of another user namespace is none of the fabric's, in whose network
# namespace the fabric may be, too.  Its coming and going is told.
unshare --user --map-root-user --net sleep 300 &
inside=$!
until [[ $(readlink "/proc/$inside/ns/user") != "$(readlink /proc/self/ns/user)" &&
	$(cat "/proc/$inside/comm") == sleep ]]; do sleep 0.1; done
inside() { nsenter --target $inside --net "$torusctl" "$@"; }
nsenter --target $inside --user --net torusctl monitor >"$work/events" 2>"$work/err" &
monitor=$!
until [[ -s $work/events ]]; do
	inside fabric add c arch bgl shape 2x2x2
	inside fabric del c
done
for watch in any owner admin; do
	inside fabric add c$watch arch bgl shape 2x2x2 watch $watch
	inside node set c$watch 0 partition 2
	if [[ $watch == owner ]]; then
		refuses "fabric c$watch event CAP_NET_ADMIN" \
			nsenter --target $inside --user --net torusctl monitor c$watch
	fi
	inside fabric del c$watch
	until like "^c$watch.* fabric-del" "$work/events"; do sleep 0.1; done
	tap "$(like "^c$watch.* fabric-add" "$work/events" && echo ok)" "watch $watch: it has come"
	is "watch $watch: what is told to an administrator of another user namespace" \
		"$(grep -c "^c$watch.* node-set" "$work/events")" "$([[ $watch == any ]] && echo 1 || echo 0)"
done
kill $monitor $inside
wait $monitor $inside 2>/dev/null

# What fabrics tell is restricted to administrators, or to nobody.
"$torusctl" fabric set t watch admin
refuses "fabric t watch admin $admin" as $owner torusctl node show t 0
refuses "fabric t watch admin $admin" as $owner torusctl node show t
works "an administrator sees it" torusctl node show t
"$torusctl" fabric set t watch any
works "anybody does, as unless told" as $other torusctl node show t
is "saved with its keys" "$("$torusctl" save t | grep -c 'attach owner')" 1

# The engine's threads are as nice as the fabric is told to be.
"$torusctl" fabric set t nice 7
mapfile -t threads < <(pgrep '^torus/t(:[0-9]+)?$')
tap "$([[ ${#threads[@]} -gt 0 ]] && echo ok)" "${#threads[@]} threads run the fabric"
for pid in "${threads[@]}"; do
	is "nice $(cat "/proc/$pid/comm")" "$(cut -d' ' -f19 "/proc/$pid/stat")" 7
done
refuses "nice 20 0 19" torusctl fabric set t nice 20

tap_end
