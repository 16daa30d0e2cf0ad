#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim's checkpoints: a run that is killed at any moment, and goes on with other ranks, threads
# and domains each time, ends with the document of the unbroken one; what is damaged is refused.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

cat >"$work/damage.py" <<'END'
import random, subprocess, sys
sim, name, tries, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
data = open(name, "rb").read()
bad = name + ".bad"
random.seed(seed)
for i in range(tries):
    changed = bytearray(data)
    if i % 3 == 2:
        changed = changed[:random.randrange(len(changed))]
    elif i % 3 == 1:
        at = random.randrange(len(changed))
        changed[at:at + 1] = b""
    else:
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    open(bad, "wb").write(changed)
    done = subprocess.run([sim, "run", "--restore", bad], capture_output=True, text=True)
    if done.returncode != 2 or not done.stderr.startswith(f"torus-sim: run: --restore {bad}: state"):
        sys.exit(f"try {i}: {done.returncode} {done.stderr}")
END

# Threads and domains of the next run, or ranks and threads
parts=("--threads 1" "--threads 2" "--threads 1 --domains 3" "--threads 2 --domains 7 --apart" "")
ranks=(2 3 5)

killed=0

# broken NAME KILLS WORD...: killed so often, at random, restored each time
broken()
{
	local name=$1 kills=$2 times=0 status=137 wall part of after words
	local said=
	shift 2
	"$sim" run "$@" --json >"$work/whole" || { tap bad "$name: unbroken"; return; }
	wall=$(value "$work/whole" 'd["perf"]["wall_s"]')
	rm -f "$work/state"
	while ((status == 137)); do
		words=(run "$@")
		part=${parts[RANDOM % ${#parts[@]}]}
		of=1
		((RANDOM % 2)) || of=${ranks[RANDOM % ${#ranks[@]}]} part="--threads $((1 + RANDOM % 2))"
		[[ ! -e $work/state ]] || words=(run --restore "$work/state")
		# the last one ends by itself
		after=$(awk -v wall="$wall" -v r="$RANDOM" 'BEGIN { print 0.01 + wall * r / 32768 / 2 }')
		((times < kills)) || after=100
		# the shell is not to tell of the kill
		# shellcheck disable=SC2086
		{
			TORUS_SIM_RANKS=$of timeout -s KILL "$after" "$sim" "${words[@]}" $part --every 700 \
				--checkpoint "$work/state" --json >"$work/end" 2>"$work/said"
			status=$?
		} 2>/dev/null
		((times += status == 137))
	done
	((killed += times))
	if ((!status)) && said=$(scripts/lib/json_equal.py "$work/whole" "$work/end" 2>&1); then
		tap ok "$name: as unbroken"
	else
		tap bad "$name: as unbroken"
		printf '# status %d after %d kills: %s %s\n' "$status" "$times" "$said" "$(<"$work/said")"
	fi
}

RANDOM=${CHECKPOINT_SEED:-7}
window=(--cycles 20000 --warmup 3000)
broken "kncube, infinite" 4 --arch kncube --shape 16x16x16 --pattern uniform --load .8 "${window[@]}"
broken "kncube, finite, statistics" 3 --arch kncube --shape 8x8x8 --pattern uniform --load .9 \
	--set buffers=finite --set routing=adaptive --statistics "${window[@]}"
broken "bgl, faults, mixed sizes" 4 --arch bgl --shape 8x4x4 --pattern uniform --load .7 --size 32:256 \
	--fault "all all ber 1e-6" --fault "3 x+ state down at 5000 for 4000" \
	--fault "9 y- corrupt 5 at 9000" "${window[@]}"
broken "bgl, closed loop, replies" 3 --arch bgl --shape 4x4x4 --pattern uniform --packets 150 \
	--set reply=128 --set outstanding=4 --set receive_packet=50
broken "bgl, a series" 2 --arch bgl --shape 4x4x4 --pattern transpose --load .3 --series 5 "${window[@]}"
build/torusctl route dump arch xt shape 4x4x4 >"$work/first"
build/torusctl route dump arch xt shape 4x4x4 policy one >"$work/then"
broken "xt, tables that change" 3 --arch xt --shape 4x4x4 --pattern uniform --load .5 "${window[@]}" \
	--table "$work/first" --table "$work/then" at 9000
broken "tofu, warm-up and end found" 3 --arch tofu --shape 2x2x3 --pattern uniform --load .5 \
	--cycles 4000 --warmup auto --until 5% --limit 40000
((killed >= 15)) && tap ok "killed at random" || tap bad "killed at random: $killed times"

# ------------------------------------------------------------------- what is said

small=(--arch kncube --shape 3x3 --pattern uniform --load .5 --cycles 3000 --warmup 100)
"$sim" run "${small[@]}" --checkpoint "$work/small" --every 2000 >/dev/null
if said=$(python3 "$work/damage.py" "$sim" "$work/small" "${CHECKPOINT_TRIES:-300}" "$RANDOM" 2>&1); then
	tap ok "a flipped bit or a missing byte is refused"
else
	tap bad "a flipped bit or a missing byte is refused"
	printf '# %s\n' "$said"
fi

# SIGTERM leaves one of that tick (Ctrl-C, too: of jobs in the background it is ignored)
long=(--arch bgl --shape 8x8x8 --pattern uniform --load .5 --cycles 60000 --warmup 2000)
"$sim" run "${long[@]}" --json >"$work/whole"
"$sim" run "${long[@]}" --checkpoint "$work/long" --every 4000 --json >"$work/end" 2>"$work/said" &
run=$!
while [[ ! -e $work/long ]] && kill -0 "$run" 2>/dev/null; do
	sleep .01
done
kill "$run"
wait "$run"
if says "$(<"$work/said")" "--checkpoint" &&
	"$sim" run --restore "$work/long" --threads 2 --json >"$work/end" &&
	said=$(scripts/lib/json_equal.py "$work/whole" "$work/end" 2>&1); then
	tap ok "an interrupt writes one more"
else
	tap bad "an interrupt writes one more"
	printf '# %s %s\n' "$(<"$work/said")" "$said"
fi

program=$(realpath "$sim")
# of several ranks the first one writes, and the file is, but for the options, what one writes
for ranks in 1 4; do
	mkdir "$work/of$ranks"
	(cd "$work/of$ranks" && TORUS_SIM_RANKS=$ranks,100 "$program" run --arch bgl --shape 4x4x3 \
		--pattern uniform --load .8 --fault "all x- ber 1e-6" --series 4 --statistics \
		--cycles 9000 --warmup 1000 --checkpoint state --every 3000 >/dev/null)
done
cmp -s "$work/of1/state" "$work/of4/state" && [[ -s $work/of1/state ]]
tap $? "a checkpoint of four ranks is that of one"
head -c $(($(stat -c %s "$work/of4/state") - 9)) "$work/of4/state" >"$work/short"
said=$(TORUS_SIM_RANKS=3 "$sim" run --restore "$work/short" 2>&1)
[[ $? == 2 && $said != *$'\n'* ]] && blames "$said" "torus-sim: run: --restore $work/short: state file section 6"
tap $? "ranks reject a damaged file, with one message: $said"
said=$(trap '' XFSZ; ulimit -f 1; TORUS_SIM_RANKS=3 "$sim" run "${small[@]}" --checkpoint "$work/full" \
	--every 2000 2>&1 >"$work/end")
[[ $? == 1 && -s $work/end && -z $(ls "$work/full"* 2>/dev/null) ]] &&
	blames "$said" "torus-sim: run: --checkpoint $work/full File too large"
tap $? "a disk that is full ends no run of ranks: $said"

sim_refused "--checkpoint name file" run "${small[@]}" --checkpoint ""
sim_refused "every 5 requires --checkpoint" run "${small[@]}" --every 5
sim_refused "every 0 tick" run "${small[@]}" --checkpoint "$work/no" --every 0
sim_refused "every 5q tick ns us ms s" run "${small[@]}" \
	--checkpoint "$work/no" --every 5q
sim_refused "--checkpoint $work/no --replicate --op --series-links --heatmap --trace" \
	run "${small[@]}" --checkpoint "$work/no" --replicate 2
sim_refused "--checkpoint $work/no/no No such file or directory" \
	run "${small[@]}" --checkpoint "$work/no/no"
sim_refused "--restore $work/small --load" \
	run --restore "$work/small" --load .3
sim_refused "--restore $work/small --set" \
	run --restore "$work/small" --set processing=3
sim_refused "--restore $work/small --histogram --statistics" \
	run --restore "$work/small" --histogram "$work/h.csv"
sim_refused "--restore $work/no No such file or directory" run --restore "$work/no"
sim_refused "--restore $sim: state file" run --restore "$sim"

# A name that is no file's is refused before the run
mkdir "$work/directory"
mkfifo "$work/fifo"
for what in "$work/directory" "$work/fifo" /dev/null; do
	sim_refused "--checkpoint $what: file" run "${small[@]}" --checkpoint "$what"
done
[[ -c /dev/null && -p $work/fifo ]] && tap ok "and stays" || tap bad "and stays"
sim_refused "--restore $work/directory: state: section 0 Is a directory" \
	run --restore "$work/directory"

# A checkpoint that cannot be written is reported and does not end the run; the previous one
# stays. Here a directory has taken its place.
for ((try = 0; try < 20; try++)); do
	"$sim" run "${long[@]}" --checkpoint "$work/place" --every 4000 >"$work/end" 2>"$work/said" &
	run=$!
	while [[ ! -d $work/place ]] && kill -0 "$run" 2>/dev/null; do
		sleep .01
		[[ ! -f $work/place ]] || { rm "$work/place" && mkdir "$work/place" 2>/dev/null; }
	done
	wait "$run"
	status=$?
	# or had this shell no processor as long as it ran?
	[[ ! -d $work/place ]] || break
done
if [[ $status == 1 && -s $work/end && -z $(compgen -G "$work/place.*") &&
	$(sort -u "$work/said" | wc -l) == 1 ]] &&
	blames "$(head -n 1 "$work/said")" "torus-sim: run: --checkpoint $work/place Is a directory"; then
	tap ok "a checkpoint that cannot take its place"
else
	tap bad "a checkpoint that cannot take its place"
	printf '# %s\n' "$(<"$work/said")"
fi
cp "$work/small" "$work/kept"
said=$(trap '' XFSZ; ulimit -f 1; "$sim" run "${small[@]}" --checkpoint "$work/small" --every 2000 2>&1 \
	>/dev/null)
if blames "$said" "torus-sim: run: --checkpoint $work/small: state section File too large" &&
	cmp -s "$work/small" "$work/kept" && [[ -z $(compgen -G "$work/small.*part") ]]; then
	tap ok "a disk that is full"
else
	tap bad "a disk that is full"
	printf '# %s\n' "$said"
fi

# Tables that are not those of the run
printf '1 2\n2 1\n' >"$work/pairs"
"$sim" run --arch kncube --shape 3x3 --pattern "file:$work/pairs" --load .5 --cycles 3000 --warmup 100 \
	--checkpoint "$work/table" --every 2000 >/dev/null
printf '1 3\n2 1\n' >"$work/pairs"
sim_refused "--restore $work/table: state fabric" \
	run --restore "$work/table"
"$sim" run --arch xt --shape 4x4x4 --pattern uniform --load .5 --cycles 3000 --warmup 100 \
	--table "$work/first" --table "$work/then" at 2900 --checkpoint "$work/table" --every 2000 >/dev/null
cp "$work/first" "$work/then"
sim_refused "--restore $work/table: state fabric" \
	run --restore "$work/table"

tap_end
