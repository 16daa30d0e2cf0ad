# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Tests in which each allocation of a call fails in turn (nomemory.c). Sourced, after tap.bash,
# where $work is a directory and $top the tree.
# shellcheck disable=SC2154
"${CC_FOR_TESTS:-cc}" -O1 -shared -fPIC -o "$work/nomemory.so" "$top/scripts/lib/nomemory.c" ||
	skip_all "nomemory.so cannot be built"

# once NUMBER COMMAND...: with that allocation failing; the error output is in err
once()
{
	timeout -k 5 60 env NOMEMORY="$1" NOMEMORY_COUNT="$work/count" \
		LD_PRELOAD="$work/nomemory.so" "$top/build/$2" "${@:3}" \
		>"$work/out" 2>"$work/err" </dev/null
}

# all COMMAND...
all()
{
	local count i status verdict=ok refused=0 step=1

	once 0 "$@" || { verdict=bad && tail -n 1 "$work/err" | sed "s/^/# /"; }
	count=$(cat "$work/count" 2>/dev/null || echo 0)
	((count > 0)) || verdict=bad
	# in make check only some of the allocations
	[[ -z ${TORUS_SHORT-} ]] || step=$((count / 8 + 1))
	for ((i = 1; i <= count; i += step)); do
		status=0
		once $i "$@" || status=$?
		((status)) || continue
		refused=$((refused + 1))
		if ((status > 2 && status != 125)) || ! grep -qE "no memory|out of memory|allocate memory" "$work/err"; then
			verdict=bad
			echo "# allocation $i: status $status: $(tail -n 1 "$work/err")"
		fi
	done
	((refused > 0)) || verdict=bad
	tap $verdict "$*: $refused of $count allocations are refused in words"
}
