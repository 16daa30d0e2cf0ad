# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What tests of Tofu's paths say to torusctl.  Behind tap.bash and json.bash, with $torusctl and
# $work.

# all twelve paths of every ordered pair are right, and there is no cycle
# shellcheck disable=SC2034 # whoever sources this uses it
tofu_clean='not any(d["broken"].values()) and d["cycles"] == 0 and
d["distinct_relays"] == d["pairs"] == d["nodes"] * (d["nodes"] - 1) and d["paths"] == 24 * d["pairs"]'

# route STATUS EXPRESSION WORD...: a Python expression about the JSON, as d
route()
{
	local wanted=$1 expression=$2 status=0

	shift 2
	"$torusctl" -j route "$@" >"$work/answer" 2>"$work/said" || status=$?
	holds "$*" "$work/answer" "$status == $wanted and ($expression)"
}
