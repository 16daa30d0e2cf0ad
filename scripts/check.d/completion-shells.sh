#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The completion of zsh and fish: the words are bash's.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PWD/build:$PATH HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work

if [[ ! -x build/torus-sim || ! -x build/torusctl ]]; then
	skip_all "the tools are not built"
fi

# What each shell makes of a line; one word a line, sorted
bash_words()
{
	local tool=${1%% *} words

	read -r -a words <<<"$1"
	[[ $1 != *" " ]] || words+=("")
	bash "user/completion/$tool" "${words[@]}" | sort -u
}

fish_words()
{
	fish --no-config -c "source user/completion/fish/${1%% *}.fish; complete -C '$1'" | sort -u
}

zsh_words()
{
	python3 scripts/zsh-words.py "$1" | sort -u
}

# same LINE WORD: every shell has the same words there, and WORD is one of them
same()
{
	local wanted got shell verdict

	wanted=$(bash_words "$1")
	for shell in fish zsh; do
		verdict=ok
		got=$("${shell}_words" "$1" 2>&1)
		if [[ $got != "$wanted" ]] || ! grep -qxF -- "$2" <<<"$got"; then
			verdict="not ok"
			printf '%s\n' "wanted:" "$wanted" "got:" "$got" | sed 's/^/# /'
		fi
		tap "$verdict" "$shell: '$1'"
	done
}

same "torusctl " fabric
same "torusctl fabric " show
same "torusctl -j link s" set
same "torusctl fabric add t arch " bgl
same "torusctl traffic t --pattern to" tornado
same "torus-sim " run
same "torus-sim run --sh" --shape
same "torus-sim run --arch " kncube
same "torus-sim run --arch bgl --set routing=d" routing=deterministic
same "torus-sim run --arch bgl --set be" ber=
same "torus-sim paper fig1" fig10
same "torus-run --pr" --print-env
same "torus-run -f t --group a" all
same "torus-info --js" --json
same "torus-player --arch kn" kncube
same "torusd ap" apply
same "torus-pingpong --ro" --rounds
same "torus-perf lat --beside tc" tcp

tap_end
