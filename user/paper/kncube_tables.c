// SPDX-License-Identifier: GPL-2.0
/*
 * Tables 1 and 2 of Liu et al. (2012): Little's law. Each row gives the packets in the network, the
 * arrival rate, the simulated latency, and the latency computed from packets and rate. The paper
 * does not print the parameters of its model. But in each row the latency is 2621 to 2655 ns per
 * hop, so we chose parameters that match.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gather.h"
#include "figure.h"
#include "kncube_work.h"

/**
 * struct law - a row of a table
 * @k: length of each dimension
 * @n: number of dimensions
 * @packets: number of packets in the network
 * @rate: packets that enter the network per nanosecond
 * @simulated: simulated latency in ns
 * @computed: computed latency in ns, as printed
 * @misprint: true if @computed is not @packets / @rate
 */
struct law {
	u32 k;
	u32 n;
	double packets;
	double rate;
	double simulated;
	double computed;
	bool misprint;
};

/**
 * struct table - a table
 * @nodes: maximum number of nodes without --full, so that a run takes a minute
 * @rows: number of entries in @law
 * @law: the rows
 */
struct table {
	u32 nodes;
	u32 rows;
	struct law law[6];
};

#define LITTLE		0.01
#define HOP		0.02
#define PRINTED		0.001
/* load for a small machine, if the paper's load is below this value */
#define LOAD_LIGHT	0.0005
#define PACKETS		20000.0	/* minimum number of packets to measure */
#define TRANSITS	3

/* Return the load of a row: the fraction of a node's link capacity that is used. */
static double law_load(const struct law *law)
{
	double gap_ns = pow(law->k, law->n) / law->rate;

	/* ticks that a packet occupies the two links of a dimension */
	return law->k / 4.0 * PAPER_LINK_TICKS / 2 * (5.714286 / gap_ns);
}

static void tables_judge(struct paper_figure *figure, const struct law *law,
			 const struct paper_cube *cube, u32 k)
{
	double latency = cube->figures.latency_mean_ticks * cube->tick_ns;
	double hops = paper_hops(law->k, law->n);
	struct paper_row *row;

	row = paper_value(figure, "ns", law->packets / law->rate,
			  "printed-k%un%u-%g|%u^%u, %g pkt/ns: printed N/lambda", law->k, law->n,
			  law->rate, law->k, law->n, law->rate);
	row->misprint = law->misprint;
	paper_relative(row, PAPER_SETTING, law->computed, PRINTED);
	row = paper_value(figure, "ns",
			  k == law->k ? latency : latency / cube->figures.hops_mean * hops,
			  "latency-k%un%u-%g|%u^%u%s: simulated latency", law->k, law->n, law->rate,
			  law->k, law->n, k == law->k ? "" : ", by its hops");
	paper_relative(row, PAPER_FITTED, law->simulated, HOP);
	row = paper_value(figure, "ns", cube->population / cube->rate,
			  "little-k%un%u-%g|%u^%u simulated: N/lambda and latency", law->k, law->n,
			  law->rate, k, law->n);
	paper_relative(row, PAPER_OURS, latency, LITTLE);
	row = paper_value(figure, "ns", latency / cube->figures.hops_mean,
			  "hop-k%un%u-%g|%u^%u: ns a hop", law->k, law->n, law->rate, law->k,
			  law->n);
	paper_relative(row, PAPER_FITTED, law->simulated / hops, HOP);
}

/*
 * Select the paper's size if --full is given and the memory suffices. Otherwise select the
 * largest size for a run of a minute, or for a quarter of the memory.
 */
static u32 choose_radix(struct paper_figure *figure, const struct table *table,
			const struct law *law, const struct paper_request *request)
{
	u64 bytes;

	if (!request->full)
		return paper_radix(law->n, law->k, request->nodes ? request->nodes : table->nodes);
	bytes = paper_bytes(law->k, law->n);
	if (bytes + bytes / 8 < paper_memory())
		return law->k;
	paper_note(figure, "%u^%u nodes take %.1f GiB at rest, which are not there: the largest of "
			   "the family that fits into a quarter of the memory instead.",
		   law->k, law->n, ldexp((double)bytes, -30));
	return paper_radix(law->n, law->k, (u32)(paper_memory() / 4 / 700));
}

static int run_law(struct paper_figure *figure, const struct table *table, const struct law *law,
		   const struct paper_request *request)
{
	u32 k = choose_radix(figure, table, law, request);
	double load = law_load(law);
	double transit = PAPER_HOP_TICKS * paper_hops(k, law->n);
	struct paper_work work = {
		.k = k, .n = law->n, .threads = request->threads, .seed = request->seed,
	};
	struct paper_cube cube;
	double gap;
	int status;

	if (k != law->k && load < LOAD_LIGHT)
		load = LOAD_LIGHT;
	gap = paper_gap(k, law->n, load);
	work.load = load;
	work.warmup = (u64)(TRANSITS * transit);
	work.cycles = (u64)fmax(TRANSITS * transit, PACKETS * gap);
	status = paper_cube(&work, &cube);
	if (status)
		return status;
	figure->cpu_s += cube.cpu_s;
	tables_judge(figure, law, &cube, k);
	paper_note(figure, "%u^%u, %g pkt/ns: ours is %u^%u at load %.4g (the paper's is %.2g), "
			   "%.4g pkt/ns, %.0f packets in the network, %.0f ns.",
		   law->k, law->n, law->rate, k, law->n, load, law_load(law), cube.rate,
		   cube.population, cube.figures.latency_mean_ticks * cube.tick_ns);
	return SIM_OK;
}

static int tables_run(const struct paper_source *source, const struct paper_request *request,
		      struct paper_figure *figure)
{
	const struct table *table = source->argument;
	u32 i;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Packets in the network, arrival rate, simulated latency, and the latency that "
		 "Little's law gives: close agreement, under light load. Where the printed latency "
		 "is not N/lambda, that is a misprint.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "kncube with the same number of dimensions%s: Poisson arrivals, uniform "
		 "destinations, packets of 256 bytes; a hop takes 256 + 184 ticks of link and 22 "
		 "of processing (2640 ns), chosen to match the paper's 2621 to 2655 ns a hop",
		 request->full ? "" : " and shorter ones at the same load or a still light one, "
				      "and the paper's number of hops times our time a hop");
	for (i = 0; i < table->rows; i++) {
		int status = run_law(figure, table, &table->law[i], request);

		if (status)
			return status;
	}
	return SIM_OK;
}

static const struct table table1 = {
	.nodes = 70000,
	.rows = 6,
	.law = {
		{ 8, 8, 168201, 4, 42022, 40700, true },
		{ 8, 8, 210240, 5, 42043, 42048, false },
		{ 16, 6, 2531687, 40, 63260, 63292, false },
		{ 16, 6, 3166931, 50, 63306, 63339, false },
		{ 64, 4, 5095405, 30, 169908, 169847, false },
		{ 64, 4, 6805740, 40, 169571, 170144, false },
	},
};

static const struct table table2 = {
	.nodes = 70000,
	.rows = 3,
	.law = {
		{ 8, 10, 105505, 2, 52688, 52753, false },
		{ 32, 6, 64109, 0.5, 126710, 128218, false },
		{ 64, 5, 107135, 0.5, 209686, 2142709, true },
	},
};

const struct paper_source paper_kncube_tables[] = {
	{ "liu2012-table1", "Little's law, 16 million nodes", tables_run, &table1 },
	{ "liu2012-table2", "Little's law, 1 billion nodes", tables_run, &table2 },
	{ }
};
