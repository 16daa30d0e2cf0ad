#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl counter show --openmetrics and torusctl health against the loaded module: both parsers of
# prometheus_client read the metrics, whose sums are the numbers of counter show -j; health names what
# is wrong.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t u)
/usr/bin/python3 -c 'import prometheus_client' 2>/dev/null ||
	skip_all "python3-prometheus-client is missing"

# same NAME ARGUMENT...: the metrics of this call, by both parsers, have the numbers of the JSON files
# counters (-s counter show) and nodes (node show)
same()
{
	"$torusctl" counter show "${@:2}" --openmetrics >"$work/metrics" &&
		/usr/bin/python3 - "$work" "$2" <<'PYTHON'
import collections
import json
import sys
import prometheus_client.openmetrics.parser as new
import prometheus_client.parser as old

work, fabric = sys.argv[1:]
text = open(f"{work}/metrics", encoding="utf-8").read()
families = list(new.text_string_to_metric_families(text))
samples = [sample for family in families for sample in family.samples]
again = [sample for family in old.text_string_to_metric_families(text)
         for sample in family.samples]
strip = lambda sample: (sample.name.removesuffix("_total"), sorted(sample.labels.items()),
                        sample.value)
assert sorted(map(strip, samples)) == sorted(map(strip, again)), "the parsers differ"
assert all(family.documentation and family.name.endswith(family.unit) and family.unit
           for family in families), "a help text or a unit is missing"
sums = collections.Counter()
for sample in samples:
    assert sample.labels["fabric"] == fabric
    sums[sample.name] += sample.value
whole = json.load(open(f"{work}/counters", encoding="utf-8"))


def check(name, wanted):
    assert sums[name] == wanted, f"{name}: {sums[name]}, not {wanted}"


for key, value in whole["packets"].items():
    check(f"torus_fabric_{key}_packets" + ("" if key == "in_flight" else "_total"), value)
check("torus_fabric_clock_ticks_total", whole["clock"])
check("torus_fabric_resends_total", whole["resends"])
check("torus_fabric_crc_errors_total", whole["crc_errors"])
check("torus_fabric_hops_total", whole["hops"]["total"])
check("torus_fabric_links", whole["links"])
found = sorted(name for name in sums if not name.startswith("torus_fabric_"))
if found:
    links = whole["link_counters"]
    for key in ("busy_ticks", "resends_packets", "acks_acknowledgements", "packets", "chunks"):
        field = key.removesuffix("_packets").removesuffix("_acknowledgements")
        check(f"torus_link_{key}_total", sum(link[field] for link in links))
    check("torus_link_stalls_total", sum(sum(link["stalls"].values()) for link in links))
    fifos = [fifo for node in json.load(open(f"{work}/nodes", encoding="utf-8"))
             for fifo in node["fifos"]]
    check("torus_fifo_packets_total", sum(fifo["packets"] for fifo in fifos))
    check("torus_fifo_high_water_chunks", sum(fifo["high_water"] for fifo in fifos))
print(len(samples), "samples,", len(found), "metrics of links and FIFOs")
PYTHON
	tap $? "$1: $(wc -l <"$work/metrics") lines"
}

"$torusctl" fabric add t arch bgl shape 2x2x2 seed 5 ber 1e-5 || skip_all "no fabric"
PATH=$top/build:$PATH torus-run -f t -n 8 "$top/build/examples/ring" >/dev/null
tap $? "a job runs on a fabric with bad links"
"$torusctl" -j -s counter show t >"$work/counters"
"$torusctl" -j node show t 0-1,0-1,0-1 >"$work/nodes"
same "one set for the fabric" t
tap "$(! like "^torus_link" "$work/metrics" && echo ok)" "without links"
"$torusctl" counter show t -d --openmetrics >"$work/details"
same "the links and FIFOs of a range of nodes" t 0-1,0-1,0-1
tap "$(cmp -s "$work/metrics" "$work/details" && echo ok)" "-d has all nodes"
"$torusctl" counter show t 0 x+ --openmetrics >"$work/one"
tap "$([[ $(grep -c "^torus_link_busy_ticks_total" "$work/one") == 1 ]] &&
	! like "^torus_fifo" "$work/one" && echo ok)" "DIR adds one link"
"$torusctl" fabric add u arch tofu shape 1x1x1
"$torusctl" traffic u --pattern uniform --packets 2 >/dev/null
"$torusctl" -j -s counter show u >"$work/counters"
same "a machine with TNIs" u
tap "$(like '^torus_fabric_tni_packets_sent_packets_total[{]fabric="u",tni="[0-9]"[}] [0-9]' \
	"$work/metrics" && echo ok)" "its TNIs"

# finds STATUS WORDS ARGUMENT...: the first line of health
finds()
{
	local status=0 line=""

	"$torusctl" health "${@:3}" >"$work/out" 2>&1 || status=$?
	IFS= read -r line <"$work/out"
	tap "$( ((status == $1)) && { [[ -z $2$line ]] || says "$line" "$2"; } && echo ok)" \
		"health ${*:3}: $status $line"
}

finds 0 ""
finds 1 "fabric none exist" none
"$torusctl" link set t 1,0,0 y+ state down
finds 1 "t link 1,0,0 y+ down" t
finds 1 "t link"
"$torusctl" link set t 1,0,0 y+ state up sender dead
finds 1 "t link 1,0,0 y+ dead" t
"$torusctl" -j health t >"$work/out"
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
tap "$([[ $(value "$work/out" '[(f["finding"], f["node"], f["dir"]) for f in d] == [("link", 1, "y+")]') == \
	True ]] && echo ok)" "health -j"
"$torusctl" link set t 1,0,0 y+ sender on
finds 0 "" t

# A reader that is not there
"$torusctl" fabric set t no_listener hold
PYTHONPATH=$top/user/python TORUS_LIBRARY=$top/build/libtorus.so PYTHONDONTWRITEBYTECODE=1 \
	python3 -c "import torus
torus.attach('t', (0, 0, 0)).send_packet(1, b'waits')"
for ((i = 0; i < 100; i++)); do
	[[ $("$torusctl" -j fabric show t) != *waiting* ]] || break
	sleep 0.1
done
finds 1 "t wait program" t
sed 's/^/# /' "$work/out"
tap_end
