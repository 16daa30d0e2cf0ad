# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Documents of commands, and the entries of user/schema/torus.json that they must be.
# Sourced, after tap.bash, json.bash and the making of $work, with the tree as $top.
# shellcheck disable=SC2154 # ($work, $top)
declare -A answered=()	# entries of which there was a document
documents=$work/documents
mkdir "$documents"

# answers ENTRY COMMAND...: whatever its verdict, it prints documents, which are the entry's
answers()
{
	local entry=$1 file

	answered[$entry]=$((${answered[$entry]:-0} + 1))
	file=$documents/$entry.${answered[$entry]}
	shift
	"$@" >"$file" 2>"$work/said" </dev/null
	fits "${*##*/}" "$entry" "$file"
	[[ -s $file ]] || sed 's/^/# /' "$work/said"
}

# quiet ENTRY COMMAND...: it succeeds, and prints nothing, as the schema says
quiet()
{
	local entry=$1 out status=0

	answered[$entry]=1
	shift
	out=$("$@" 2>"$work/said" </dev/null) || status=$?
	tap "$([[ $status == 0 && -z $out ]] && echo ok)" "${*##*/}: no document"
	((status == 0)) || sed 's/^/# /' "$work/said"
}

# all_answered PATTERN...: of the entries whose names are like these, each had its document, or
# its command without one
all_answered()
{
	local entry dash pattern missing=""

	while read -r entry dash; do
		for pattern; do
			# shellcheck disable=SC2053 # (a pattern)
			[[ $entry != $pattern || -n ${answered[$entry]:-} ]] || missing+=" $entry$dash"
		done
	done <"$work/entries"
	is "each entry has been tried: $*" "$missing" ""
}

if ! python3 "$top/scripts/schema.py" --entries >"$work/entries"; then
	tap bad "the entries of user/schema/torus.json can be read: python3-jsonschema is there"
	tap_end
fi
