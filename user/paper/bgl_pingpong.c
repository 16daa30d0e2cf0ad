// SPDX-License-Identifier: GPL-2.0
/*
 * Figure 10 of Adiga et al. (2005): ping-pong latency for one, two and three hops on a 2x2x2 mesh.
 * In the paper, "the curves marked network bound are calculated theoretically on the basis of the
 * expected bandwidth and latency of the network". Here, these curves are simulated.
 */
#include <math.h>
#include <stdio.h>

#include "../replay/replay.h"
#include "../replay/run.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"

#define ROUNDS		4
#define LOG_MAX		512
#define PAYLOAD_BYTES	240	/* payload bytes of a full packet */
#define HEAD_BYTES	16	/* bytes of the hardware header and the software header */
#define CHUNK_BYTES	32
#define WIRE_TICKS	270	/* ticks of a full packet on a link */
#define HOP_TICKS	20
#define CYCLES		4	/* processor cycles per tick */
#define EXACT		0.000001

/* Payload bytes of the measured messages. */
static const u32 sizes[] = { 0, 16, 48, 112, 240, 480, 960, 1200, 1920, 4800 };

#define SIZES	((u32)(sizeof(sizes) / sizeof(sizes[0])))

/* Return the size of a packet with @payload bytes, in whole chunks. */
static u32 packet_bytes(u32 payload)
{
	return (payload + HEAD_BYTES + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
}

/*
 * Compute the one-way latency on one path. The header takes 20 ticks per hop. Each packet except
 * the last occupies a link for 270 ticks. Each byte of the last packet takes one tick. The receiver
 * answers in the next tick.
 */
static u32 bound_ticks(u32 bytes, u32 hops)
{
	u32 before = bytes ? (bytes - 1) / PAYLOAD_BYTES : 0;

	return HOP_TICKS * hops + before * WIRE_TICKS +
	       packet_bytes(bytes - before * PAYLOAD_BYTES) + 1;
}

/* Results of a ping-pong run. */
struct pingpong_result {
	double ticks;
	double cpu_s;
};

static int pingpong_simulate(u32 bytes, u32 hops, const char *routing, struct pingpong_result *run)
{
	static const u32 peers[] = { 0, 1, 3, 7 };
	struct replay_result result;
	char text[LOG_MAX];
	int status;

	snprintf(text, sizeof(text),
		 "arch bgl\nshape 2x2x2\nmesh xyz\nset routing=%s\n"
		 "rank 0 { repeat %u { send %u %u recv %u } }\n"
		 "rank %u { repeat %u { recv 0 send 0 %u } }\n",
		 routing, ROUNDS, peers[hops], bytes, peers[hops], peers[hops], ROUNDS, bytes);
	status = replay_measure("fig10", text, &result);
	if (status)
		return status;
	run->cpu_s = result.cpu_s;
	run->ticks = (result.end + 1.0) / (2 * ROUNDS);
	return SIM_OK;
}

static int pingpong_measure(struct paper_figure *figure, u32 bytes, u32 hops, const char *routing,
			    double *ticks)
{
	struct pingpong_result run;
	int status;

	if (!paper_gather(&run, sizeof(run), &status))
		status = paper_gather_keep(&run, sizeof(run),
					   pingpong_simulate(bytes, hops, routing, &run));
	if (status)
		return status;
	figure->cpu_s += run.cpu_s;
	*ticks = run.ticks;
	return SIM_OK;
}

static int pingpong_run(const struct paper_source *source, const struct paper_request *request,
			struct paper_figure *figure)
{
	struct paper_series *series;
	struct paper_row *row;
	double ticks, apart = 0;
	u32 hops, i;
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Ping-pong on the hardware, 2x2x2 mesh, one, two and three hops: one-way latency "
		 "in processor cycles against message size, total and network bound, the latter "
		 "calculated from bandwidth and latency of the network without the transfers from "
		 "and to memory. Points are not in the text.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "2x2x2 mesh, torus-sim replay: rank 0 sends, its peer sends back, %u rounds; "
		 "packets of 240 bytes and 16 of headers; deterministic routing (one path), and "
		 "dynamic for three hops; a tick is four processor cycles. Closed form: 20 ticks a "
		 "hop, 270 for each packet but the last, its bytes, and one tick until the answer",
		 ROUNDS);
	figure->xlabel = "bytes";
	figure->ylabel = "one-way latency, processor cycles";
	/* use a logarithmic axis, because the curves of short messages are close together */
	figure->log_y = true;
	for (hops = 1; hops <= 3; hops++) {
		char name[PAPER_LABEL_MAX];

		snprintf(name, sizeof(name), "%u hop%s", hops, hops > 1 ? "s" : "");
		series = paper_series(figure, name);
		for (i = 0; i < SIZES; i++) {
			status = pingpong_measure(figure, sizes[i], hops, "deterministic", &ticks);
			if (status)
				return status;
			paper_point(series, sizes[i], CYCLES * ticks);
			row = paper_value(figure, "cycles", CYCLES * ticks,
					  "latency-%u-%u|%u bytes, %s", sizes[i], hops, sizes[i],
					  name);
			paper_relative(row, PAPER_SETTING, CYCLES * bound_ticks(sizes[i], hops),
				       EXACT);
		}
	}
	for (i = 0; i < SIZES; i++) {
		status = pingpong_measure(figure, sizes[i], 3, "dynamic", &ticks);
		if (status)
			return status;
		apart = fmax(apart, fabs(CYCLES * ticks / figure->series[2].y[i] - 1));
	}
	row = paper_value(figure, "", apart, "dynamic|3 hops, dynamic beside deterministic, apart");
	paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, EXACT);
	paper_incomparable(figure, "total", "total latency, software included",
			   "the paper gives no point of its curves, and we have no software");
	paper_value(figure, "cycles", figure->series[1].y[0] - figure->series[0].y[0],
		    "a hop more");
	paper_note(figure, "The first byte takes 20 ticks a hop, which the papers leave open (114 "
			   "ns, 80 cycles: kmod/arch/README.md). A message's packets leave one "
			   "injection FIFO one after the other, so dynamic ones take no less. What "
			   "software costs is not in it.");
	return SIM_OK;
}

const struct paper_source paper_bgl_pingpong[] = {
	{ "fig10", "ping-pong latency, the network's part", pingpong_run, NULL },
	{ }
};
