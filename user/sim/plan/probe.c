// SPDX-License-Identifier: GPL-2.0
/*
 * A small machine is simulated, and what that costs is taken down.  How far it goes follows from
 * what was done, never from a clock: what is found of packets and memory is the same each time.
 */
#include <math.h>
#include <stdlib.h>

#include "core/load/workload.h"
#include "core/run/fabric.h"
#include "core/state/domain.h"
#include "../measure.h"
#include "../progress.h"
#include "../sim.h"
#include "probe.h"

#define STEPS_MAX	4096
#define STEP_TICKS	50	/* of the first steps; longer where little happens */
#define STEPS_WORK	300	/* steps of a probe's work, at most */
#define FOREVER		(1ull << 40)	/* ticks: the longest window that there is */
#define WORK_MORE	3.0	/* times the work, at most, until it is steady */
#define SETTLED		2.0	/* ways of packets that a probe is long, at least */
#define EARLY		0.05	/* of all hops */
#define PARTS		9	/* of the second half: what the median of them took counts */

/* Counts at a tick, from the first one on; @took_s: of a processor, since the step before. */
struct step {
	u64 clock;
	double took_s;
	double cpu_s;
	double hops;
	double packets;
	double in_flight;
	double later_bytes;
};

static double later_bytes(const struct torus_fabric *f, double start)
{
	const struct torus_domain *d = f->domain;

	return torus_fabric_memory(f) - start - torus_wheel_bytes(&d->wheel) -
	       torus_pool_bytes(&d->pool);
}

static void step_take(struct step *step, struct torus_fabric *f, double start, double took_s)
{
	struct torus_point point;

	torus_traffic_point(f, &point);
	step->clock = point.clock;
	step->took_s = took_s;
	step->hops = (double)point.hops;
	step->packets = (double)point.injected;
	step->in_flight = (double)point.in_flight;
	step->later_bytes = later_bytes(f, start);
}

static struct plan_cost between(const struct step *from, const struct step *to)
{
	return (struct plan_cost){
		.ticks = (double)(to->clock - from->clock), .cpu_s = to->cpu_s - from->cpu_s,
		.hops = to->hops - from->hops, .packets = to->packets - from->packets,
	};
}

/* Is it to end?  A packet's way takes as long as the packets of the network do to come in. */
static bool over(const struct plan_task *task, const struct step *now, bool unbounded)
{
	double done = now->hops + now->packets;
	/* times that the network's packets have come in */
	double ways = now->packets / (now->in_flight + 1);

	if (task->ticks && now->clock >= task->ticks)
		return true;
	if (task->run && now->clock >= task->run && ways >= SETTLED)
		return true;
	if (done < task->work)
		return false;
	if (done >= WORK_MORE * task->work && !task->ticks)
		return true;
	return ways >= task->settle && (!unbounded || now->clock >= task->run);
}

/* The tick until which a step goes. */
static u64 step_end(const struct torus_fabric *f, const struct plan_task *task, u64 step)
{
	u64 end = torus_fabric_clock(f) + step;

	return task->ticks && end > task->ticks ? task->ticks : end;
}

/* The first step by which a share of the packets had entered. */
static u32 step_of(const struct step *steps, u32 last, double share)
{
	u32 i = 1;

	while (i < last && steps[i].packets < share * steps[last].packets)
		i++;
	return i;
}

/* Events in the wheel's blocks: what of its slabs has been used. */
static double wheel_used(const struct torus_wheel *wheel)
{
	double block = offsetof(struct torus_block, ev) +
		       (double)wheel->events * sizeof(struct torus_event);

	return wheel->slab_bytes - wheel->nfresh * block;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* What the steps from @from on took, were all of its parts like the median: others disturb some. */
static double undisturbed_s(const struct step *steps, u32 from, u32 last)
{
	u32 parts = last - from < PARTS ? last - from : PARTS, i;
	double each[PARTS];

	for (i = 0; i < parts; i++) {
		u32 begin = from + (last - from) * i / parts;
		u32 end = from + (last - from) * (i + 1) / parts;
		struct plan_cost part = between(&steps[begin], &steps[end]);

		each[i] = part.cpu_s / (part.hops + part.packets + 1);
	}
	qsort(each, parts, sizeof(each[0]), by_value);
	return each[parts / 2] * (steps[last].hops - steps[from].hops +
				  steps[last].packets - steps[from].packets);
}

/* How busy its links were, and what of the offered packets entered. */
static void probe_links(struct plan_probe *probe, struct torus_fabric *f,
			const struct step *steps, u32 last)
{
	u64 waiting = 0, all = 0, busy = 0, links = 0;
	double cpu_s = sim_cpu_thread_s();
	u32 half = step_of(steps, last, 0.5), node, dir;
	struct torus_arrivals arrivals;

	half = half < last ? half : last - 1;
	for (node = 0; node < f->nodes; node++) {
		torus_arrivals_count(f->domain, node, &arrivals);
		all += arrivals.packets;
		waiting += arrivals.waiting;
		for (dir = 0; dir < f->dirs; dir++) {
			busy += torus_link_busy_ticks(f, node, dir);
			links += torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
		}
	}
	probe->moment_s = sim_cpu_thread_s() - cpu_s;
	probe->accepted = all ? 1 - (double)waiting / all : 1;
	/* what stays in the network's own queues has not been accepted either */
	probe->accepted *= 1 - (steps[last].in_flight - steps[half].in_flight) /
			       (probe->last.packets + 1);
	/* a request makes its reply enter, too */
	probe->offered = (double)all / f->nodes / f->clock *
			 steps[last].packets / (all - waiting + 1);
	probe->busy = (double)busy / ((double)links * f->clock);
}

/* The network when it had just begun: how many hops its packets made. */
static void probe_early(struct plan_probe *probe, const struct step *steps, u32 last)
{
	u32 i = 2;

	while (i < last && steps[i].hops < EARLY * steps[last].hops)
		i++;
	probe->early_rate = (steps[i].hops - steps[i / 2].hops) /
			    (double)(steps[i].clock - steps[i / 2].clock);
	probe->early_packets = (steps[i].in_flight + steps[i / 2].in_flight) / 2;
}

/* What a probe has come to. */
static void probe_take(struct plan_probe *probe, const struct plan_task *task,
		       struct torus_fabric *f, const struct step *steps, u32 last)
{
	const struct torus_domain *d = f->domain;
	u32 half = step_of(steps, last, 0.5), i, quarter = last - last / 4;

	half = half < last ? half : last - 1;
	probe->ticks = steps[last].clock;
	probe->first = between(&steps[0], &steps[half]);
	probe->last = between(&steps[half], &steps[last]);
	probe->middle_packets = (steps[half].in_flight + steps[last].in_flight) / 2;
	for (i = quarter; i <= last; i++)
		probe->packets += steps[i].in_flight / (last - quarter + 1);
	probe_early(probe, steps, last);
	if (task->settle > 0)
		probe->last.cpu_s = undisturbed_s(steps, half, last);
	probe->packet_bytes = d->pool.grains * TORUS_GRAIN;
	probe->bytes = (double)torus_fabric_memory(f);
	probe->events = (double)d->wheel.pending;
	probe->wheel_bytes = wheel_used(&d->wheel);
	probe->window_ticks = f->lookahead;
	probe->unbounded = f->router->waiting;
	for (i = last; i && steps[i].later_bytes > 0; i--)
		;
	probe->later_bytes = steps[last].later_bytes;
	probe->later_at = steps[i].clock;
}

/* A machine at its first tick, with one thread and its workload. */
static int begin(struct torus_fabric **f, const struct sim_options *options,
		 const struct torus_config *config, const struct plan_task *task)
{
	struct sim_options small = *options;
	int status;

	small.config = *config;
	small.config.domains = 1;
	small.config.threads = 1;
	small.config.ranks = NULL;
	small.load.traffic.load = (u64)(small.load.traffic.load * task->load);
	small.load.traffic.load += !small.load.traffic.load;
	small.load.traffic.cycles = FOREVER;
	small.load.traffic.warmup = 0;
	status = sim_fabric_new(&small, f);
	if (status)
		return status;
	status = sim_measure_start(*f, &small);
	if (status)
		torus_fabric_destroy(*f);
	return status;
}

/* Simulate up to a tick; what that took.  @more: gets whether it goes on. */
static double step_run(struct torus_fabric *f, u64 end, bool *more)
{
	double cpu_s = sim_cpu_thread_s();

	torus_traffic_pause(f, end);
	*more = torus_traffic_step(f, 0, 1);
	return sim_cpu_thread_s() - cpu_s;
}

/* Once more: the same happens, and the least that each step took is what nobody disturbed. */
static int repeat(const struct plan_probe *probe, const struct sim_options *options,
		  const struct plan_task *task, struct step *steps, u32 last)
{
	struct torus_fabric *f;
	int status = begin(&f, options, &probe->config, task);
	bool more;
	u32 i;

	if (status)
		return status;
	for (i = 1; i <= last; i++)
		steps[i].took_s = fmin(steps[i].took_s, step_run(f, steps[i].clock, &more));
	torus_fabric_destroy(f);
	return SIM_OK;
}

/* All that was simulated, from its first step on. */
static int probe_steps(struct plan_probe *probe, const struct sim_options *options,
		       const struct plan_task *task, struct torus_fabric *f, struct step *steps,
		       u32 *count)
{
	double start = (double)torus_fabric_memory(f) - torus_wheel_bytes(&f->domain->wheel) -
		       torus_pool_bytes(&f->domain->pool);
	double cpu_s, look_s = 0, took_s;
	u64 step = STEP_TICKS;
	u32 last = 0, i;
	bool more;

	step_take(&steps[0], f, start, 0);
	do {
		took_s = step_run(f, step_end(f, task, step), &more);
		last++;
		cpu_s = sim_cpu_thread_s();
		step_take(&steps[last], f, start, took_s);
		look_s += sim_cpu_thread_s() - cpu_s;
		step *= 1 + (steps[last].hops - steps[last - 1].hops < task->work / STEPS_WORK);
	} while (more && last + 1 < STEPS_MAX && !over(task, &steps[last], f->router->waiting));
	probe->look_s = look_s / (last + 1);
	*count = last;
	if (!more || last < 2)
		return sim_failed("a machine of %u nodes like it stops at tick %llu, deadlocked "
				  "or without memory", f->nodes, torus_fabric_clock(f));
	for (i = 1; i < task->tries; i++)
		if (repeat(probe, options, task, steps, last))
			return SIM_FAILED;
	for (i = 1, steps[0].cpu_s = 0; i <= last; i++)
		steps[i].cpu_s = steps[i - 1].cpu_s + steps[i].took_s;
	return SIM_OK;
}

/**
 * plan_probe - simulate a small machine
 * @probe: gets what it came to
 * @options: the workload that was asked for
 * @config: the machine
 * @task: how far it is to go
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling why not.
 */
int plan_probe(struct plan_probe *probe, const struct sim_options *options,
	       const struct torus_config *config, const struct plan_task *task)
{
	static struct step steps[STEPS_MAX];
	double cpu_s = sim_cpu_thread_s();
	struct torus_fabric *f;
	int status;
	u32 last;

	*probe = (struct plan_probe){ .config = *config };
	status = begin(&f, options, config, task);
	if (status)
		return status;
	probe->start_bytes = (double)torus_fabric_memory(f) -
			     (double)torus_config_bytes(&f->cfg);
	probe->setup_s = sim_cpu_thread_s() - cpu_s;
	status = probe_steps(probe, options, task, f, steps, &last);
	if (!status) {
		probe_take(probe, task, f, steps, last);
		probe_links(probe, f, steps, last);
	}
	torus_fabric_destroy(f);
	return status;
}
