#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# MPI programs by torus-run --mpi, through libfabric and the provider: what fi_info prints; what
# torus-run rejects; every byte that ranks exchange, on every machine and with faults of the
# network; memory; ranks that are killed.  TORUS_RUN_KILLS=N: that many kills.  Needs root; runs
# in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH TMPDIR=$work
fabrics=(mb mx mt mo)
patience=1200
programs=$top/build/selftests

for program in mpirun fi_info fi_pingpong; do
	command -v "$program" >/dev/null ||
		skip_all "there is no $program (scripts/deps.sh installs it)"
done
[[ -x $programs/mpi ]] || skip_all "$programs/mpi is not built: there was no mpicc"
[[ -e $top/build/torus-fi.so ]] ||
	skip_all "build/torus-fi.so is not built: there was no libfabric-dev"

# run ARG...: torus-run --mpi; its output in $out, its messages in $err
out=$work/out err=$work/err
run()
{
	timeout -k 5 500 torus-run --mpi "$@" >"$out" 2>"$err" </dev/null
}

# free FABRIC N: N groups are free
# shellcheck disable=SC2317 # (waits calls it)
free() { [[ $(torus-info -j "$1") == *"\"free\":$2,"* ]]; }

# show: output and messages of the last run, as remarks
show()
{
	sed 's/^/# /' "$out" "$err" | tail -n 40
}

# sent: ranks have sent messages; sets $messages and $packets
sent()
{
	messages=$(sed -n 's/.*: \([0-9]*\) messages, [1-9][0-9]* bytes.*/\1/p' "$err")
	packets=$(sed -n 's/.*: \([0-9]*\) packets injected.*/\1/p' "$err")
	((messages > 0 && packets >= messages))
}

# injected FABRIC: packets that counter show prints
injected()
{
	torusctl -j counter show "$1" | sed -n 's/.*"injected": *\([0-9]*\).*/\1/p' | head -n 1
}

# correct: all steps of an MPI test program are correct, and packets were used
correct()
{
	like '^1\.\.[1-9]' "$out" && ! like '^not ok' "$out" && sent
}

# passes NAME -f FABRIC ARG...: run an MPI test program, which must be correct
passes()
{
	local name=$1 fabric=$3 messages packets before status=0

	shift
	before=$(injected "$fabric")
	SECONDS=0
	run "$@" || status=$?
	((status == 0)) && correct && ((packets == $(injected "$fabric") - before))
	status=$?
	tap "$status" "$name: $(grep -c '^ok' "$out") steps, $messages messages, $packets packets, \
$SECONDS s"
	((status == 0)) || show
}

# rejected NAME WORDS ARG...: torus-run ends with status 125, and its messages have these words
rejected()
{
	local name=$1 words=$2 status=0

	shift 2
	run "$@" || status=$?
	((status == 125)) && says "$(<"$err")" "$words"
	tap $? "$name: $(head -n 1 "$err")"
}

# The providers that libfabric lists, with the module and without it

# known WORD...: what fi_info prints if it finds the provider
known()
{
	# (the usage of fi_info has a NUL byte)
	FI_PROVIDER_PATH=$top/build fi_info "$@" 2>&1 | tr -d '\0'
}

# alone: what fi_info prints if it does not
alone()
{
	FI_PROVIDER_PATH=$work fi_info 2>&1 | tr -d '\0'
}

listed=$(known -p torus)
says "$listed" "provider: torus FI_EP_RDM"
tap $? "fi_info -p torus: ${listed//$'\n'/;}"
says "$(known -e)" "FI_TORUS_ROUTE FI_TORUS_EAGER FI_TORUS_WINDOW"
tap $? "fi_info -e lists the parameters"
rmmod torus
is "without the module, fi_info prints what it prints without the provider" "$(known)" "$(alone)"
insmod "$module"
[[ $(known) != "$(alone)" ]]
tap $? "with the module, it prints more"

torusctl fabric add mb arch bgl shape 2x2x2 || skip_all "no fabric"
short=(-f mb -n 3 --nodes "0-1,0,0" --group all)

# Rejections before a process starts

rejected "no program" "program missing" -f mb
rejected "an unknown fabric" "fabric nosuch" -f nosuch true
rejected "more ranks than places" "mb 9 8 places" -f mb -n 9 true
OMPI_MCA_pml=ob1 rejected "another pml" "OMPI_MCA_pml ob1 cm" -f mb true
OMPI_MCA_mtl=psm2 rejected "another mtl" "OMPI_MCA_mtl psm2 ofi" -f mb true
OMPI_MCA_btl=tcp,self rejected "another btl" "OMPI_MCA_btl tcp,self self" -f mb true
FI_PROVIDER_PATH=$work rejected "no provider" "FI_PROVIDER_PATH torus-fi.so" -f mb true
status=0
timeout -k 5 500 env PATH="$top/build" torus-run --mpi -f mb true 2>"$err" || status=$?
((status == 125)) && says "$(<"$err")" "mpirun PATH Open MPI"
tap $? "no Open MPI: $(<"$err")"
torusctl node set mb 1,0,0 state dead
rejected "a dead node" "1,0,0 group 0 dead" -f mb -n 2 --nodes 0-1,0,0 true
torusctl node set mb 1,0,0 state alive

# The command line of mpirun

run -f mb -n 2 --print-env true
[[ $(<"$out") == *" TORUS_MEMBERS='0 1' "*" --mca pml cm --mca mtl ofi "*" --mca osc pt2pt "*" true" ]]
tap $? "--print-env prints the command line of mpirun"
OMPI_MCA_osc=rdma run -f mb -n 2 --print-env true
like '--mca pml cm' "$out" && ! like '--mca osc' "$out"
tap $? "a parameter of the user stays in force"

# Ranks that do not use the fabric

rejected "a program without MPI" "rank 0, 1 mb endpoint pml cm" -f mb -n 2 true
mkdir "$work/provider"
cp "$top/build/torus-fi.so" "$work/provider"
# shellcheck disable=SC2016 # (for the shell of the rank)
FI_PROVIDER_PATH=$work/provider run -f mb -n 2 sh -c \
	'rm -f "$FI_PROVIDER_PATH/torus-fi.so"; exec "$0"' "$programs/mpi"
status=$?
((status)) && says "$(grep '^torus-run: rank' "$err")" "endpoint mb torus-fi.so: No such file"
tap $? "a provider that is removed after the check: $(grep '^torus-run: rank' "$err")"

# Messages

# pingpong OPTION...: both sides of fi_pingpong; the client starts when the server listens
pingpong()
{
	local status=0

	# shellcheck disable=SC2016 # (for the shell of the rank)
	FI_PROVIDER_PATH=$top/build timeout -k 5 500 torus-run -f mb -n 2 --tag sh -c '
		[ "$TORUS_RANK" = 0 ] || {
			peer=127.0.0.1
			until grep -q ":B9E8 .* 0A " /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done
		}
		exec fi_pingpong -p torus -e rdm "$@" $peer' sh "$@" >"$out" 2>"$err" </dev/null ||
		status=$?
	# A line for each size at both ends
	((status == 0)) && (($(grep -c '^0: [0-9]' "$out") == $(grep -c '^1: [0-9]' "$out"))) &&
		like '^0: [0-9]' "$out"
	status=$?
	tap "$status" "fi_pingpong $*: $(grep -c '^0: [0-9]' "$out") sizes"
	((status == 0)) || show
}

# flood LONG SHORT: peaks of memory, in KiB above an idle rank's, are at most 24 MiB
flood()
{
	local peaks status=0

	run -f mb -n 3 "$programs/mpi-flood" "$@" || status=$?
	read -ra peaks < <(sed -n 's/.*receiver \(-*[0-9]*\) KiB, sender \(-*[0-9]*\) KiB/\1 \2/p' "$out")
	((status == 0 && ${#peaks[@]} == 2 && peaks[0] <= 24 << 10 && peaks[1] <= 24 << 10))
	status=$?
	tap "$status" "all messages before the first receive: $(grep messages "$out")"
	((status == 0)) || show
}

passes "2 ranks" -f mb -n 2 --nodes "0,0,0 1,1,0" "$programs/mpi"
passes "threads" -f mb -n 2 --nodes "0,0,0 1,1,0" "$programs/mpi-threads"
# 400 messages have 25 MiB, more than a rank may keep.
flood 400 2000
pingpong -S 1024 -I 20

# Ranks that are killed

# kill_rank ROUND: end a job by killing one of its ranks; sets $seconds
kill_rank()
{
	local round=$1 how=() messages packets status=0

	((round % 5)) || how=(fork)
	: >"$out"
	run "${short[@]}" "$programs/mpi-killed" $((round % 3)) $((round * 37 % 400)) "${how[@]}" &
	waits like '^exchanging' "$out" || left+=" start-$round"
	SECONDS=0
	wait $! || status=$?
	seconds=$SECONDS
	((status)) || left+=" status-$round"
	sent || left+=" messages-$round"
	free mb 16 || left+=" group-$round"
}

left='' most=0
rounds=${TORUS_RUN_KILLS:-2}
for ((round = 0; round < rounds; round++)); do
	kill_rank "$round"
	((seconds <= most)) || most=$seconds
	((round % 10 < 9)) || echo "# $((round + 1)) kills, most seconds $most"
done
is "$rounds ranks killed in a transfer: an error, and all groups are free" "$left" ""
# A busy host is slow; on an idle one a job ends within 15 s.
((most <= 60))
tap $? "each job ended in at most $most s after the kill"
passes "one-sided operations in the next job" "${short[@]}" "$programs/mpi-rma"
short_end

run -f mb -n 2 sh -c 'exit 3'
is "the exit status is mpirun's" $? 3

# by_tcp PROGRAM: the test program itself is correct, by a transport of Open MPI
by_tcp()
{
	local status

	# By default Open MPI does not use the loopback interface, the only one in the VM.
	timeout -k 5 500 mpirun --allow-run-as-root --oversubscribe --bind-to none -np 4 \
		--mca plm isolated --mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include lo \
		--mca osc pt2pt --mca mpi_yield_when_idle 1 "$programs/$1" \
		>"$out" 2>"$err" </dev/null && like '^1\.\.[1-9]' "$out" && ! like '^not ok' "$out"
	status=$?
	tap "$status" "$1 by tcp: $(grep -c '^ok' "$out") steps"
	((status == 0)) || show
}

by_tcp mpi
by_tcp mpi-rma
by_tcp mpi-threads
passes "8 ranks" -f mb "$programs/mpi"
passes "one-sided operations of 8 ranks" -f mb "$programs/mpi-rma"
passes "threads of 8 ranks" -f mb "$programs/mpi-threads"
passes "16 ranks" -f mb --group all "$programs/mpi"
passes "one-sided operations of 16 ranks" -f mb --group all "$programs/mpi-rma"
torusctl fabric add mx arch xt shape 2x2x2
torusctl fabric add mt arch tofu shape 2x1x1
for program in mpi mpi-rma mpi-threads; do
	passes "$program on xt" -f mx -n 8 "$programs/$program"
	passes "$program on tofu" -f mt -n 12 "$programs/$program"
done
pingpong -S all -I 10
flood 10000 100000

# Two jobs at once, in boxes of one fabric

# boxes RANKS: in each box; a third job finds its nodes taken
boxes()
{
	local ranks=$1 messages packets pids=() box status=0

	for box in 0 2; do
		timeout -k 5 500 torus-run --mpi -f mo --box "0,$box,0+4x2x2" -n "$ranks" \
			"$programs/mpi" >"$work/box$box.out" 2>"$work/box$box.err" </dev/null &
		pids+=($!)
	done
	waits free mo $((64 - 2 * ranks))
	rejected "a third job on taken nodes" "0,0,0 group 0 held" -f mo --box 0,0,0+4x2x2 true
	for box in 0 2; do
		wait "${pids[box / 2]}" || status=$?
		out=$work/box$box.out err=$work/box$box.err
		correct || status=1
		((status == 0)) || show
	done
	out=$work/out err=$work/err
	tap "$status" "two jobs at once, $ranks ranks in each box"
}

torusctl fabric add mo arch bgl shape 4x4x2
boxes 8
torusctl fabric del mo

# Faults of the network

torusctl link set mb all all ber 1e-5
passes "links with errors" -f mb --group all "$programs/mpi"
torusctl link set mb all all ber 0
torusctl link set mb 0,0,0 x+ state down
passes "a link that is down" -f mb --group all "$programs/mpi"
torusctl link set mb 0,0,0 x+ state up
torusctl node set mb 1,0,0 state dead
passes "a dead node" -f mb -n 14 --group all "$programs/mpi"
torusctl node set mb 1,0,0 state alive
tap_end
