#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Names, arguments, environment and files with control characters and invalid UTF-8, given to every
# program: the output has no control character but newlines and tabs, and is valid UTF-8; JSON
# is accepted by a strict reader.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

tools=(torusctl torusd torus-sim torus-run torus-info torus-perf torus-pingpong torus-player)
for tool in "${tools[@]}" demo/torus-demo examples/message; do
	[[ -x build/$tool ]] || skip_all "build/$tool is not built"
done
export PATH=$PWD/build:$PWD/build/demo:$PWD/build/examples:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

hostile=$'\e[31m"\\\n\xff\xc2\x9b\xe2\x80\xae'
# the same as a name of a file, and in a word without blanks
file=$work/$hostile
word=$'\e[31m\xff\xc2\x9b\xe2\x80\xae'

cat >"$work/clean.py" <<'PY'
import json, sys, unicodedata
kind, names = sys.argv[1], sys.argv[2:]
for name in names:
    text = open(name, "rb").read().decode("utf-8")      # strict
    bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\t"}
    assert not bad, f"{name}: {sorted(map(hex, map(ord, bad)))}: {text[:400]!r}"
    if kind == "json" and text.strip():
        json.loads(text)
PY

# clean KIND NAME STATUS COMMAND...: the output and the error output of a command
clean()
{
	local kind=$1 name=$2 wanted=$3 status=0 verdict=ok said

	shift 3
	timeout 60 "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[[ $status == "$wanted" ]] || verdict=bad
	said=$(python3 "$work/clean.py" "$kind" "$work/out" "$work/err" 2>&1) || verdict=bad
	# each command has something to say, and most show the text
	[[ -s $work/out || -s $work/err ]] || verdict=bad
	[[ $name == *content* ]] || grep -q '31m' "$work/out" "$work/err" || verdict=bad
	tap $verdict "$name: nothing controls the terminal"
	[[ $verdict == ok ]] || printf '# status %d\n%s\n' "$status" "$said" | tail -3 | sed 's/^/# /'
}

run=(torus-sim run --arch bgl --shape 2x2x2 --load 0.1 --cycles 200 --warmup 10)

# ------------------------------------------------------------ names and arguments
clean text "torus-sim: a command" 2 torus-sim "$word"
clean text "torus-sim: an option" 2 "${run[@]}" "--$word"
clean text "torus-sim: a value" 2 "${run[@]}" --pattern "$hostile"
clean text "torus-sim: a parameter" 2 "${run[@]}" --pattern uniform --set "$hostile=1"
clean text "torus-sim: a file that is missing" 2 "${run[@]}" --pattern "file:$file.none"
clean text "torus-sim: a configuration that is missing" 2 torus-sim run --config "$file.none"
clean text "torus-sim paper: a figure" 2 torus-sim paper "$word"
clean text "torusctl: an object" 2 torusctl "$hostile"
clean json "torusctl -j: an object" 2 torusctl -j "$hostile"
clean text "torusctl: a command" 2 torusctl fabric "$hostile"
clean json "torusctl -j: a shape" 2 torusctl -j fabric add t0 arch bgl shape "$hostile"
clean text "torusctl -b: a file that is missing" 2 torusctl -b "$file.none"
clean text "torusd: a word" 2 torusd "$hostile"
clean text "torusd: a file that is missing" 2 torusd diff "$file.none"
clean text "torus-run: a number" 125 torus-run -f t -n "$hostile" true
clean text "torus-run: an option" 125 torus-run "--$word" true
clean text "torus-player: a file that is missing" 2 torus-player "$file.none" -o "$work/page.html"
clean text "torus-info: an option" 2 torus-info "--$word"
clean text "torus-perf: a value" 2 torus-perf --ranks "$hostile"
clean text "torus-pingpong: a value" 2 torus-pingpong --size "$hostile"
clean text "torus-demo: a value" 2 torus-demo --laps "$hostile" t0

# --------------------------------------------------------------- environment
export TORUS_KEY=1 "TORUS_MEMBERS=0 1"
TORUS_FABRIC=t TORUS_SIZE=$hostile TORUS_RANK=$hostile TORUS_NODE=$hostile \
	clean text "libtorus: the environment" 1 message

# --------------------------------------------------------------- files
printf '0 1 1\n1 2 1\n' >"$file"
clean json "torus-sim: a name of a pattern's file, JSON" 0 "${run[@]}" --pattern "file:$file" --json
clean text "torus-sim: a name of a pattern's file" 0 "${run[@]}" --pattern "file:$file"
clean text "torus-sim sweep: the same" 0 torus-sim sweep "${run[@]:2}" --pattern "file:$file" \
	--loads 0.1:0.2:0.1
clean text "torus-sim sweep: as an axis" 0 torus-sim sweep "${run[@]:2}" \
	--over pattern="file:$file" --csv
clean json "torus-sim sweep: JSON" 0 torus-sim sweep "${run[@]:2}" --over pattern="file:$file" --json
printf '%s 1 1\n' "$word" >"$work/content"
clean text "a pattern's content" 2 "${run[@]}" --pattern "file:$work/content"
clean text "a configuration's content" 2 torus-sim run --config "$work/content"
printf '{ "%s": 1 }\n' "$word" >"$work/content.json"
clean text "a configuration's key" 2 torus-sim run --config "$work/content.json"
clean text "a fault" 2 "${run[@]}" --pattern uniform --fault "0 x+ state $word"
clean text "a job log's content" 2 torus-sim jobs --log "$work/content"
clean text "the content of an application's log" 2 torus-sim replay "$work/content"
clean text "a record of programs" 2 torus-sim rerun "$file"
clean text "a state" 2 torus-sim run --restore "$file"
printf '%s\nfabric add %s\n' "fabric $word" "$word" >"$work/lines"
clean text "torusctl -b: words" 2 torusctl -b "$work/lines"
clean json "torusctl -j -b: words" 2 torusctl -j -b "$work/lines"
clean text "torusctl restore: a file that is missing" 2 torusctl restore "$file.none"
clean text "torusctl route: a file of tables" 2 torusctl route check arch xt shape 4x4x4 table "$file"
printf '%s' "$hostile" | gzip >"$file.gz"
clean text "a compressed file" 2 torus-sim replay "$file.gz"
clean text "a compressed pattern" 2 "${run[@]}" --pattern "file:$file.gz"
tap_end
