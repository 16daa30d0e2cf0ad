#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An unprivileged user, with another partition and namespace and without any capability, tries to
# attach, send, evict, stop, starve, read and learn on a fabric with `attach owner watch owner isolate
# on`. All of this is rejected, except on the user's own nodes.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t)
owner=1000 guest=65534 other=65533
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
"$torusctl" node set t 2,0,0 uid $guest partition 2

# Attach
refuses "node 0,0,0 group 0 user" \
	as $guest torus-run -f t --nodes 0,0,0 true
refuses "node 3,0,0 group 0 user" \
	as $guest torus-run -f t --nodes 3,0,0 true
refuses "node 0 fabric t user" rank $guest 0 0
refuses "node 0,0,0 user" \
	as $guest unshare --user --map-root-user torus-run -f t --nodes 0,0,0 true
refuses "fabric t network namespace" \
	as $guest unshare --user --map-root-user --net torus-run -f t --nodes 0,0,0 true
works "nodes of the owner admit the owner" as $owner torus-run -f t --nodes 0-1,0,0 true
works "a node of the unprivileged user admits that user" as $guest torus-run -f t --nodes 2,0,0 true

# Send: node 2 is in another partition.
refuses "partition" rank $guest 2 1

# Evict, stop: no command that changes anything, from wherever it comes
for words in "node set t 0 evict" "node set t 2 uid $guest evict" "node set t 0 state dead" \
	"node set t 2 partition 1" "fabric set t attach any" "fabric set t inject hold" \
	"fabric reset t" "fabric del t" "link set t 0 x+ state down" "reg write t 0 timeout_x 0x08000800" \
	"fabric set t isolate off" "counter reset t" "job add t mine nodes 2" \
	"traffic t --pattern uniform --packets 1" "fabric save-state t $work/state" \
	"capture t count 1 -w -"; do
	read -ra list <<<"$words"
	refuses "$admin" as $guest torusctl "${list[@]}"
done
refuses "$admin" as $guest unshare --user --map-root-user torusctl node set t 0 evict

# Read, learn: nothing of the owner's nodes, nothing of the whole, nothing at all without a node
for words in "node show t 0" "link show t 0 x+" "link show t 0" "counter show t 0 x+" \
	"counter show t" "reg read t 0 timeout_x" "reg dump t 0"; do
	read -ra list <<<"$words"
	refuses "fabric t watch owner $admin" as $guest torusctl "${list[@]}"
done
for words in "node show t" "link show t" "link check t" "job show t" "top t -n 1"; do
	read -ra list <<<"$words"
	refuses "fabric t watch owner $admin" as $other torusctl "${list[@]}"
done
refuses "fabric t event CAP_NET_ADMIN" as $guest torusctl monitor t
is "a list of nodes has only those of the unprivileged user" \
	"$(as $guest torusctl -br node show t | cut -d' ' -f1,2)" "2 2,0,0"
is "a list of links, too" \
	"$(as $guest torusctl -j link show t | grep -o '"node":[0-9]*,' | sort -u)" '"node":2,'
works "the owner reads what is the owner's" as $owner torusctl node show t 0
works "an administrator all of it" torusctl counter show t
is "the state of the fabric is not reported" \
	"$(as $guest torusctl -j fabric show t | grep -oE '"(clock|in_flight|contexts)"')" ""
works "its shape is" as $guest torusctl fabric show t

# Starve: the owner's programs run while the unprivileged user requests nodes of others, and its own
for ((bars = 0; bars < 2; bars++)); do
	(while as $guest torus-run -f t --nodes 0,0,0 true || :; do :; done) >/dev/null 2>&1 &
done
works "the owner is not kept out" as $owner torus-run -f t --nodes 0-1,0,0 true
mapfile -t jobs < <(jobs -p)
kill "${jobs[@]}"
wait "${jobs[@]}" 2>/dev/null

# Events: an administrator of another user namespace is none of the fabric's, in whose network
# namespace the fabric may be, too.  Its creation and deletion are reported.
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
	is "watch $watch: output for an administrator of another user namespace" \
		"$(grep -c "^c$watch.* node-set" "$work/events")" "$([[ $watch == any ]] && echo 1 || echo 0)"
done
kill $monitor $inside
wait $monitor $inside 2>/dev/null

# The output of fabrics is restricted to administrators, or not at all.
"$torusctl" fabric set t watch admin
refuses "fabric t watch admin $admin" as $owner torusctl node show t 0
refuses "fabric t watch admin $admin" as $owner torusctl node show t
works "an administrator sees it" torusctl node show t
"$torusctl" fabric set t watch any
works "any user may watch by default" as $other torusctl node show t
is "saved with its keys" "$("$torusctl" save t | grep -c 'attach owner')" 1

# The engine's threads have the nice value of the fabric.
"$torusctl" fabric set t nice 7
mapfile -t threads < <(pgrep '^torus/t(:[0-9]+)?$')
tap "$([[ ${#threads[@]} -gt 0 ]] && echo ok)" "${#threads[@]} threads run the fabric"
for pid in "${threads[@]}"; do
	is "nice $(cat "/proc/$pid/comm")" "$(cut -d' ' -f19 "/proc/$pid/stat")" 7
done
refuses "nice 20 0 19" torusctl fabric set t nice 20

tap_end
