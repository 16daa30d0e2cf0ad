#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A reader finds each hook that a machine gives the router's contract by its name: ctags sees
# the function. (machine_run is a name for stack traces, its function is loop.h's; machine_.._t
# are types.) It finds each function that doc/architecture.md names, too. The names of the code in
# doc/glossary.md are words of the sources.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

mapfile -t sources < <(git ls-files 'kmod/*.[ch]')
declare -A found
while read -r name _; do
	found[$name]=1
done < <(ctags -x --languages=C --langmap=C:+.h --c-kinds=f "${sources[@]}")

hooks=0
while read -r file hook name; do
	hooks=$((hooks + 1))
	tap "$([[ -n ${found[$name]:-} ]] && echo ok)" "$file: ctags finds $name, its $hook"
done < <(sed -nE 's/^#define (machine_[a-z_]+)[[:space:]]+([a-z][a-z0-9_]*)$/\1 \2/p; T; F' \
	"${sources[@]}" | paste - - | awk '$1 != "machine_run" && $1 !~ /_t$/ { print $3, $1, $2 }')
tap "$( ((hooks > 0)) && echo ok)" "machines give the contract hooks"
mapfile -t sources < <(git ls-files 'kmod/*.[ch]' 'user/*.[ch]')
while read -r name _; do
	found[$name]=1
done < <(ctags -x --languages=C --langmap=C:+.h --c-kinds=f "${sources[@]}")
while read -r name; do
	tap "$([[ -n ${found[$name]:-} ]] && echo ok)" "doc/architecture.md: ctags finds $name"
done < <(grep -oE '`[a-z_0-9]+\(\)`' doc/architecture.md | tr -d '`()' | sort -u)
mapfile -t names < <(grep -oE '`[A-Za-z_0-9]+`' doc/glossary.md | tr -d '`' | sort -u)
absent=$(comm -23 <(printf '%s\n' "${names[@]}") \
	<(git grep -ohwF -f <(printf '%s\n' "${names[@]}") -- kmod user include | sort -u) | tr '\n' ' ')
tap "$( ((${#names[@]} > 50)) && [[ -z $absent ]] && echo ok)" \
	"doc/glossary.md: the sources have each name of the code${absent:+, but not $absent}"
tap_end
