// SPDX-License-Identifier: GPL-2.0
/* Compute the ratios of a result from the integers that the core counts. */
#include <math.h>
#include <string.h>

#include "../machine/machine.h"
#include "ratios.h"
#include "report.h"

/* maximum fraction of the generated packets that may be undelivered in an unsaturated run */
#define SATURATED_SHARE		0.03
/* maximum relative difference between the two halves of a window in a steady run */
#define STEADY_PACKETS		0.05
#define STEADY_LATENCY		0.20
/* allowed noise of a count of random arrivals, in standard deviations */
#define NOISE_SIGMAS		3.0

/*
 * Divide two numbers. Return NAN if the divisor is 0: there were no ticks, links or packets, or the
 * machine is not known.
 */
static double ratio(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

static bool open_loop(const struct report_context *context)
{
	return context->traffic.load;
}

/* Return the number of ticks in which a link transmits a byte. */
static double ticks_per_byte(const struct report_context *context)
{
	const struct torus_machine *machine;

	if (context->ticks_per_byte > 0)
		return context->ticks_per_byte;
	machine = torus_machine_find(context->arch);
	return machine ? (double)machine->chunk_ticks / machine->chunk_bytes : 1;
}

static bool is_saturated(const struct report_context *context, const struct torus_result *result)
{
	double left = SATURATED_SHARE * result->win_generated;

	/* A closed loop has no offered load, so its runs are never called saturated. */
	if (!open_loop(context))
		return false;
	/*
	 * Allow one waiting packet per node at the end of the window. Otherwise short windows would
	 * appear saturated.
	 */
	return result->win_delivered + left + result->nodes < result->win_generated ||
	       result->backlog > left + result->nodes;
}

static bool is_steady(const struct torus_result *result)
{
	double first = result->win_half_delivered[0];
	double second = result->win_half_delivered[1];
	double noise = NOISE_SIGMAS * sqrt(first + second);
	double allowed = fmax(STEADY_PACKETS * fmax(first, second), noise);
	double latency[2];

	if (!(first > 0) || !(second > 0) || fabs(first - second) > allowed)
		return false;
	latency[0] = result->win_half_latency[0] / first;
	latency[1] = result->win_half_latency[1] / second;
	return fabs(latency[0] - latency[1]) <= STEADY_LATENCY * fmax(latency[0], latency[1]);
}

/*
 * Return the number of packets that the nodes received, in percent of the capacity of the busiest
 * link or port. In a closed loop, return the time that the busiest link or port needs, in percent
 * of the time of the run.
 */
static double percent_of_peak(const struct report_context *context,
			      const struct torus_result *result,
			      const struct report_figures *figures)
{
	double peak = ratio(result->peak_num, result->peak_den);
	double delivered = result->win_delivered;

	if (!open_loop(context))
		return 100 * ratio(peak, figures->window_ticks);
	/*
	 * If there are replies, the peak counts a request and its reply together, which are two
	 * packets.
	 */
	if (context->traffic.reply)
		delivered = 2 * result->win_replies;
	return 100 * ratio(delivered, result->nodes) * ratio(peak, figures->window_ticks);
}

static void accepted(const struct report_context *context, const struct torus_result *result,
		     struct report_figures *figures)
{
	const struct torus_machine *machine = torus_machine_find(context->arch);
	double node_ticks = result->nodes * figures->window_ticks;

	figures->accepted_packets = ratio(result->win_delivered, node_ticks);
	figures->accepted_bytes = ratio(result->win_bytes, node_ticks);
	figures->accepted_flits = ratio(figures->accepted_bytes,
					machine ? machine->chunk_bytes : 0);
}

/**
 * report_figures - compute the ratios of a result
 * @context: options of the run
 * @result: measurements of the core
 * @figures: [out] the ratios; NAN if nothing was measured
 */
void report_figures(const struct report_context *context, const struct torus_result *result,
		    struct report_figures *figures)
{
	double busy = 0;
	double links = 0;
	unsigned int d;

	memset(figures, 0, sizeof(*figures));
	if (result->window_end > result->window_start)
		figures->window_ticks = result->window_end - result->window_start;
	figures->latency_mean_ticks = ratio(result->win_latency_sum, result->win_delivered);
	figures->hops_mean = ratio(result->win_hops_sum, result->win_delivered);
	for (d = 0; d < context->ndims; d++) {
		figures->dim_utilization[d] =
			ratio(result->win_busy[d], result->dim_links[d] * figures->window_ticks);
		busy += result->win_busy[d];
		links += result->dim_links[d];
	}
	figures->utilization = ratio(busy, links * figures->window_ticks);
	figures->payload_utilization =
		ratio(result->win_payload_bytes * ticks_per_byte(context),
		      links * figures->window_ticks);
	accepted(context, result, figures);
	figures->percent_of_peak = percent_of_peak(context, result, figures);
	/*
	 * Little's law: population = rate * time in the network. In a window the rate is delivered
	 * / window. The mean time in the network is sum of the times / delivered. So the integral
	 * of the population over the window must equal the sum of the times.
	 */
	figures->little = ratio(fabs((double)result->win_population_ticks -
				     (double)result->win_network_latency_sum),
				result->win_population_ticks);
	figures->saturated = is_saturated(context, result);
	figures->steady = is_steady(result);
}
