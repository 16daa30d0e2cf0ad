// SPDX-License-Identifier: GPL-2.0
/*
 * Throughput against bit-error rate, compared with the closed form of go-back-N.
 *
 * The sender keeps packets until they are acknowledged. After a time-out it sends all of them
 * again, in order. A packet of L bytes occupies the link for T = L + 14 ticks and is damaged
 * with probability p = 1 - (1 - ber)^(8 (L + 4)). An error costs all transmissions started
 * before the time-out of the oldest packet. The time-out starts at the acknowledgement of the
 * packet before, which is latency + ack_delay after that packet's end:
 *   N = ceil((timeout + latency + ack_delay) / T)
 * If a packet is damaged when it is sent again, the time-out starts at its own end:
 *   M = ceil((T + timeout) / T)
 * Both hold if the resend FIFO stores that number of packets. A packet that is sent again
 * comes first and is damaged with probability p, so a fraction p of the errors costs M:
 *   throughput = (1 - p) / (1 - p + p ((1 - p) N + p M))
 * In textbooks go-back-N has M = N.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"
#include "run.h"

#define SIZE		256
/* load of 1.5 in units of 2^-32: more than the capacity of the links */
#define LOAD		(3ull << 31)
#define LINK_CYCLES	30000000
#define LINK_CYCLES_FULL 300000000
#define CYCLES		60000
#define CYCLES_FULL	600000
#define WARMUP		40000
#define LINK_TOLERANCE	0.01
#define TEXT_TOLERANCE	0.03
#define MACHINE_TOLERANCE 0.08

static const char *const rates[] = { "1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4" };

#define RATES		(sizeof(rates) / sizeof(rates[0]))

/**
 * struct forms - closed forms for a bit-error rate
 * @damaged: p, the probability that a packet is damaged
 * @ours: throughput of go-back-N with our time-out
 * @textbook: throughput of go-back-N with M = N
 * @n: N, the number of transmissions that an error costs
 * @m: M, the number of transmissions that an error in a retransmitted packet costs
 */
struct forms {
	double damaged;
	double ours;
	double textbook;
	double n;
	double m;
};

static bool machine_config(struct torus_config *config, u32 x, u32 yz)
{
	u32 dims[] = { x, yz, yz };
	struct torus_error err;

	if (!torus_arch_config(config, "bgl", &err) &&
	    !torus_config_shape(config, 3, dims, 0, &err))
		return true;
	sim_reject("%s", err.text);
	return false;
}

static double parameter(const struct torus_config *config, const char *key)
{
	u64 value = 0;

	torus_config_number(config, key, &value);
	return (double)value;
}

static struct forms closed_forms(const struct torus_config *config, double ber)
{
	double wire = SIZE + 14, timeout = parameter(config, "timeout");
	double back = parameter(config, "latency") + parameter(config, "ack_delay");
	struct forms f;
	double p;

	p = -expm1(8 * (SIZE + 4) * log1p(-ber));
	f.damaged = p;
	f.n = ceil((timeout + back) / wire);
	f.m = ceil((wire + timeout) / wire);
	f.ours = (1 - p) / (1 - p + p * ((1 - p) * f.n + p * f.m));
	f.textbook = (1 - p) / (1 - p + p * f.n);
	return f;
}

/* Measurements at one bit-error rate. */
struct error_result {
	struct torus_result result;
	double cpu_s;
};

static int errors_simulate(const struct torus_config *config, const char *ber, u64 cycles,
			   u32 threads, struct error_result *run)
{
	struct sim_run_config options = { .config = *config, .threads = threads };
	struct sim_measure found;
	struct torus_error err;
	int status;

	options.config.domains = threads;
	options.load.traffic = (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = SIZE, .size_max = SIZE,
		.load = LOAD, .warmup = WARMUP, .cycles = cycles,
	};
	if (torus_config_set(&options.config, "ber", ber, &err))
		return sim_reject("%s", err.text);
	status = paper_run(&options, &found);
	if (status)
		return status;
	run->result = found.result;
	run->cpu_s = found.perf.cpu_s;
	return SIM_OK;
}

/* Get the measurements at one bit-error rate, which this or another process has simulated. */
static int errors_measure(const struct torus_config *config, const char *ber, u64 cycles,
			  u32 threads, struct paper_figure *figure, struct torus_result *result)
{
	struct error_result run;
	int status;

	if (!paper_gather(&run, sizeof(run), &status))
		status = paper_gather_keep(&run, sizeof(run),
					   errors_simulate(config, ber, cycles, threads, &run));
	if (status)
		return status;
	*result = run.result;
	figure->cpu_s += run.cpu_s;
	return SIM_OK;
}

/**
 * struct error_curve - a curve: one machine at all bit-error rates
 * @id: part of the ids of its rows
 * @name: name in labels
 * @config: configuration of the fabric
 * @cycles: ticks of the window
 * @threads: number of threads
 * @tolerance: allowed relative difference from the closed form
 */
struct error_curve {
	const char *id;
	const char *name;
	struct torus_config config;
	u64 cycles;
	u32 threads;
	double tolerance;
};

static int run_curve(const struct error_curve *curve, struct paper_figure *figure)
{
	struct paper_series *series = paper_series(figure, curve->name);
	struct torus_result whole, part;
	u32 i;
	int status;

	status = errors_measure(&curve->config, "0", curve->cycles, curve->threads, figure, &whole);
	for (i = 0; !status && i < RATES; i++) {
		double ber = strtod(rates[i], NULL), got;
		struct paper_row *row;

		status = errors_measure(&curve->config, rates[i], curve->cycles, curve->threads,
					figure, &part);
		if (status)
			break;
		got = (double)part.win_delivered / whole.win_delivered;
		paper_point(series, log10(ber), got);
		row = paper_row(figure, "%s, ber %s", curve->name, rates[i]);
		paper_id(row, "%s-%s", curve->id, rates[i]);
		row->unit = "of 0";
		row->origin = PAPER_FORMULA;
		row->other = closed_forms(&curve->config, ber).ours;
		row->ours = got;
		row->tolerance = curve->tolerance;
	}
	return status;
}

/* Compare the textbook's closed form with the measurements on one link. */
static void add_textbook(struct paper_figure *figure, const struct torus_config *config)
{
	struct paper_series *ours = paper_series(figure, "closed form, our time-out");
	struct paper_series *textbook = paper_series(figure, "closed form, textbook");
	const struct paper_series *link = &figure->series[0];
	u32 i;

	for (i = 0; i < RATES; i++) {
		double ber = strtod(rates[i], NULL);
		struct forms f = closed_forms(config, ber);
		struct paper_row *row = paper_row(figure, "one link, textbook go-back-%.0f, ber %s",
						  f.n, rates[i]);

		paper_id(row, "textbook-%s", rates[i]);
		row->unit = "of 0";
		row->origin = PAPER_FORMULA;
		row->other = f.textbook;
		row->ours = link->y[i];
		row->tolerance = TEXT_TOLERANCE;
		paper_point(ours, log10(ber), f.ours);
		paper_point(textbook, log10(ber), f.textbook);
	}
}

static int errors_run(const struct paper_source *source, const struct paper_request *request,
		      struct paper_figure *figure)
{
	u32 k = request->nodes && request->nodes < 512 ? 4 : 8;
	struct error_curve link = {
		.id = "link", .name = "one link", .threads = 1, .tolerance = LINK_TOLERANCE,
		.cycles = request->full ? LINK_CYCLES_FULL : LINK_CYCLES,
	};
	struct error_curve machine = {
		.id = "machine", .name = k == 8 ? "8x8x8" : "4x4x4", .threads = request->threads,
		.tolerance = MACHINE_TOLERANCE,
		.cycles = request->full ? CYCLES_FULL : CYCLES,
	};
	struct forms f;
	int status;

	if (!machine_config(&link.config, 2, 1) || !machine_config(&machine.config, k, k))
		return SIM_USAGE;
	link.config.seed = request->seed;
	machine.config.seed = request->seed;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Links: acknowledgements, a retransmission FIFO, time-outs, everything "
		 "unacknowledged is sent again. No numbers: its simulator \"did not model the "
		 "error-recovery protocol; i.e., no link errors were simulated\".");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "bgl, uniform, saturated, full packets; packets delivered, as a part of those at "
		 "bit-error rate 0: two nodes over one link each way (%llu ticks), and %s, every "
		 "link alike (%llu ticks)",
		 (unsigned long long)link.cycles, machine.name,
		 (unsigned long long)machine.cycles);
	figure->xlabel = "log10 of the bit-error rate";
	figure->ylabel = "throughput, of that without errors";
	status = run_curve(&link, figure);
	if (!status)
		status = run_curve(&machine, figure);
	if (status)
		return status;
	add_textbook(figure, &link.config);
	f = closed_forms(&link.config, strtod(rates[RATES - 1], NULL));
	paper_note(figure, "p = 1 - (1 - ber)^(8 (%d + 4)) (%.3g at 1e-4); an error costs N = "
			   "ceil((timeout + latency + ack_delay) / %d) = %.0f transmissions, in a "
			   "packet that is sent again M = ceil((%d + timeout) / %d) = %.0f; "
			   "throughput (1 - p) / (1 - p + p ((1 - p) N + p M)). The textbook's "
			   "go-back-N has M = N.",
		   SIZE, f.damaged, SIZE + 14, f.n, SIZE + 14, SIZE + 14, f.m);
	paper_note(figure, "A lost acknowledgement costs nothing as long as another one follows "
			   "before the time-out: they are cumulative, and the closed form leaves "
			   "them out, as it does lost tokens.");
	paper_note(figure, "The machine is below the link's closed form: a link that waits for its "
			   "time-out holds buffers, and what stands behind in them is for other "
			   "links too.");
	paper_note(figure, "At 1e-9 and 1e-8 the difference is chance: the window sees few errors, "
			   "or none, and arbitration differs from tick to tick.");
	return SIM_OK;
}

const struct paper_source paper_link_errors[] = {
	{ "link-errors", "throughput against bit-error rate, and go-back-N", errors_run, NULL },
	{ }
};
