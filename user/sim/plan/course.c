// SPDX-License-Identifier: GPL-2.0
/*
 * A run from its first tick on: how many packets are in the network, and how many hops they make.
 * A machine is empty when a run begins, and is as far as it comes only when packets have gone
 * their whole way: of a million nodes that takes longer than most runs.
 *
 * A packet makes its first hop as it enters.  By Little's law the packets in the network are the
 * other hops of a tick times the ticks from one hop of a packet to its next; and that time grows
 * from what one alone takes to what the steady network has, as the wait at a link does
 * (u / (1 - u) of its use u).  Packets that entered together go on together, and end after half
 * to one and a half times the mean distance.
 */
#include <math.h>

#include "model.h"

#define STEPS		400
#define WAYS		6.0	/* times a packet's way, after which the network is steady */
#define HALVINGS	40

/* Part of the packets that are still there when they have come @x hops far. */
static double remain(double x, double distance)
{
	double part = x / distance;

	return part < 0.5 ? 1 : part > 1.5 ? 0 : 1.5 - part;
}

/**
 * plan_wait - how near a network is to its steady state, as waits have it
 * @load: what the machine does
 * @rate: hops a node and tick
 *
 * Return: 0 to 1.
 */
double plan_wait(const struct plan_load *load, double rate)
{
	double u = fmin(rate / load->rate, 1);

	return u * (1 - load->busy) / (1 - load->busy * u);
}

static double hop_ticks(const struct plan_load *load, double rate)
{
	return load->fast + (load->slow - load->fast) * plan_wait(load, rate);
}

/* Hops a tick of so many packets, and of those that enter: Little's law. */
static double rate_of(const struct plan_load *load, double held, double enter)
{
	double low = 0, high = load->rate, rate;
	u32 i;

	for (i = 0; i < HALVINGS; i++) {
		rate = (low + high) / 2;
		if ((rate - load->first * enter) * hop_ticks(load, rate) < held)
			low = rate;
		else
			high = rate;
	}
	return low;
}

/* Packets that are left of those that entered in steps before. */
static double left(const double *entered, const double *at, u32 steps, double front,
		   double distance)
{
	double sum = 0;
	u32 i;

	for (i = 0; i < steps; i++)
		sum += entered[i] * remain(front - at[i], distance);
	return sum;
}

/**
 * plan_course - a run, a node of it
 * @course: gets what becomes of it
 * @load: what the machine does
 * @ticks: of the run
 */
void plan_course(struct plan_course *course, const struct plan_load *load, double ticks)
{
	double on = load->distance - load->first, span = fmin(ticks, WAYS * load->slow * on);
	double steady = (load->rate - load->first * load->enters) * load->slow;
	double dt = span / STEPS, front = 0;
	double entered[STEPS], at[STEPS], held = 0, rate, come, step;
	u32 i;

	*course = (struct plan_course){ .hops = 0 };
	for (i = 0; i < STEPS; i++) {
		/* what finds no room waits at its source */
		come = held < steady ? load->offered * dt : load->enters * dt;
		entered[i] = come;
		rate = rate_of(load, held + come / 2, come / dt);
		step = dt / hop_ticks(load, rate);
		/* those of a step have come half as far as it has in the mean */
		at[i] = front + step / 2;
		front += step;
		course->hops += rate * dt;
		course->weighed += rate * dt * plan_wait(load, rate);
		course->packets += come;
		held = left(entered, at, i + 1, front, on);
		if (held > steady) {
			entered[i] -= fmin(held - steady, come);
			course->packets -= fmin(held - steady, come);
			held = steady;
		}
		course->held = held > course->held ? held : course->held;
		course->last = rate;
	}
	course->hops += load->rate * (ticks - span);
	course->weighed += load->rate * (ticks - span);
	course->packets += load->enters * (ticks - span);
}
