// SPDX-License-Identifier: GPL-2.0
/* The model of README.md: what machines of other sizes did becomes what one will take. */
#include <math.h>

#include "core/run/config.h"
#include "core/state/domain.h"
#include "core/state/mail.h"
#include "model.h"

#define FS_PER_MS	1e12
#define HOPS_A_PACKET	3.0	/* whose time a packet's beginning and end take */
#define TELLING		0.3	/* how much the hops of a packet are to differ */
#define EVENT_BYTES	11.0	/* of an event in the wheel, in full blocks */
#define LARGER		1.2	/* times the middle machine: what tells of growth */
#define FAST_LEAST	0.1	/* of a steady network's time of a hop */
#define NEAR		0.5	/* to the steady state, at most, that anything began with */
#define BUSY_MOST	0.97	/* of a link for which somebody always waits */
#define SATURATED	0.9	/* what is accepted of what is offered, at most */

/* ------------------------------------------------------------------ the load */

static double hops_rate(const struct plan_probe *p)
{
	return p->last.hops / p->last.ticks / p->config.geo.nodes;
}

/* Ticks from one hop of a packet to its next, the first of which it makes as it enters. */
static double hop_time(const struct plan_probe *p, double first)
{
	return p->packets / (p->last.hops - first * p->last.packets) * p->last.ticks;
}

/* The same before others are in its way, by what a machine came to that had just begun. */
static double fast_time(const struct plan_load *load, const struct plan_probe *p)
{
	double wait = plan_wait(load, hops_rate(p)), enter = p->last.packets / p->last.ticks;
	double time = p->middle_packets / (p->last.hops / p->last.ticks - load->first * enter);

	if (wait > NEAR) {
		wait = fmin(plan_wait(load, p->early_rate / p->config.geo.nodes), NEAR);
		time = p->early_packets /
		       fmax(p->early_rate - load->first * enter, p->early_rate / 4);
	}
	time = (time - load->slow * wait) / (1 - wait);
	return fmin(fmax(time, FAST_LEAST * load->slow), load->slow);
}

/**
 * plan_load - what a machine does
 * @load: gets it
 * @c: what others did
 * @geo: its shape
 * @pattern: TORUS_PATTERN_*
 */
void plan_load(struct plan_load *load, const struct plan_constants *c,
	       const struct torus_geometry *geo, u32 pattern)
{
	double spread, small_spread, middle_spread;
	double small = plan_distance(&c->small.config.geo, pattern, &small_spread);
	double middle = plan_distance(&c->middle.config.geo, pattern, &middle_spread);
	double first = fmin(middle / 2, 1), power = 0, slope = 0;
	double near = hop_time(&c->small, first), far = hop_time(&c->middle, first);

	load->distance = plan_distance(geo, pattern, &spread);
	load->first = first;
	load->rate = hops_rate(&c->middle) * spread / middle_spread;
	load->offered = c->middle.offered * spread / load->distance / (middle_spread / middle);
	if (c->middle.accepted > SATURATED)
		load->rate = load->offered * load->distance;
	load->enters = load->rate / load->distance;
	load->busy = c->middle.accepted < SATURATED ? BUSY_MOST :
						      fmin(c->middle.busy, BUSY_MOST);
	/* what a packet waits before its first hop and behind its last is dealt out to its hops */
	if (middle > LARGER * small) {
		power = fmax(fmin(log(near / far) / log(middle / small), 1), 0);
		slope = fmax((near - far) / (1 / small - 1 / middle), 0);
	}
	load->slow = fmax(far * pow(middle / load->distance, power),
			  far + slope * (1 / load->distance - 1 / middle));
	load->fast = fast_time(load, &c->large);
}

/* ------------------------------------------------------------------ the hop */

/* A hop of a steady network, the packets' own part left out. */
static double steady_hop_s(const struct plan_probe *p, double packet_s)
{
	double rest = p->last.cpu_s - packet_s * p->last.packets;

	return fmax(rest, 0.2 * p->last.cpu_s) / p->last.hops;
}

/* What a hop took, packets counted as some. */
static double cost_s(const struct plan_cost *cost)
{
	return cost->cpu_s / (cost->hops + HOPS_A_PACKET * cost->packets);
}

static double work_s(const struct plan_probe *p)
{
	const struct plan_cost all = {
		.cpu_s = p->first.cpu_s + p->last.cpu_s, .hops = p->first.hops + p->last.hops,
		.packets = p->first.packets + p->last.packets,
	};

	return cost_s(&all);
}

/* A packet's own part, and a hop's, from what two halves of a run took. */
static void early_split(const struct plan_probe *p, double *packet_s, double *hop_s)
{
	const struct plan_cost *a = &p->first, *b = &p->last;
	double det = a->packets * b->hops - b->packets * a->hops;
	double some = HOPS_A_PACKET * work_s(p);

	*packet_s = some;
	/* halves that are alike tell nothing */
	if (det > TELLING * a->packets * b->hops)
		*packet_s = (a->cpu_s * b->hops - b->cpu_s * a->hops) / det;
	*packet_s = fmin(fmax(*packet_s, some / 2), 2 * some);
	*hop_s = (a->cpu_s + b->cpu_s - *packet_s * (a->packets + b->packets)) /
		 (a->hops + b->hops);
}

/**
 * plan_grow - what size does to the time of a hop
 * @c: its probes; gets that
 */
void plan_grow(struct plan_constants *c)
{
	double growth;

	c->growth[0] = (struct plan_growth){ c->small.bytes,
		fmin(cost_s(&c->small.last) / cost_s(&c->middle.last), 2) };
	c->growth[1] = (struct plan_growth){ c->middle.bytes, 1 };
	/* few hops of a tick cost the twin more, waits the middle one: the more growth is true */
	growth = work_s(&c->large) / fmin(work_s(&c->twin), cost_s(&c->middle.last));
	c->growth[2] = (struct plan_growth){ c->large.bytes, fmax(growth, 1) };
	if (c->growth[2].bytes > LARGER * c->growth[1].bytes)
		return;
	/* none is larger than the middle one: it goes on as from the small one to that */
	c->growth[2].bytes = c->growth[1].bytes * c->growth[1].bytes / c->growth[0].bytes;
	c->growth[2].times = fmax(2 - c->growth[0].times, 1);
}

/**
 * plan_growth - what a hop takes on a core that has to do with so many bytes
 * @c: what has been measured
 * @bytes: of a core
 *
 * Return: beside that of the middle one of the sizes.
 */
double plan_growth(const struct plan_constants *c, double bytes)
{
	const struct plan_growth *g = c->growth;
	u32 i = bytes > g[1].bytes ? 1 : 0;
	double at = log(fmax(bytes, 1) / g[i].bytes), step = log(g[i + 1].bytes / g[i].bytes);

	if (!(step > 0))
		return g[i + 1].times;
	if (bytes <= g[0].bytes)
		return g[0].times;
	return g[i].times + (g[i + 1].times - g[i].times) * at / step;
}

/**
 * plan_packet_s - what a packet takes beside its hops
 * @c: what has been measured
 * @bytes: of a core
 *
 * Return: seconds of a processor.
 */
double plan_packet_s(const struct plan_constants *c, double bytes)
{
	double packet_s, hop_s;

	early_split(&c->large, &packet_s, &hop_s);
	return packet_s * plan_growth(c, bytes) / plan_growth(c, c->large.bytes);
}

/**
 * plan_hop_s - what a hop takes
 * @c: what has been measured
 * @bytes: of a core
 * @steady: how near the network is to its steady state, 0 to 1
 *
 * Return: seconds of a processor.
 */
double plan_hop_s(const struct plan_constants *c, double bytes, double steady)
{
	double large = plan_growth(c, c->large.bytes), packet_s, low, high;

	early_split(&c->large, &packet_s, &low);
	low /= large;
	high = steady_hop_s(&c->middle, packet_s / large);
	return (low + (high - low) * steady) * plan_growth(c, bytes);
}

/* -------------------------------------------------------------------- memory */

/* What the pool takes for so many bytes of packets, and the wheel for so many of events. */
static double pieces(double bytes, double piece)
{
	return ceil(bytes / piece) * piece;
}

static double slabs(double bytes)
{
	double all = 0, slab = TORUS_SLAB_SMALL;

	while (all < bytes) {
		while (slab < TORUS_SLAB_LARGE && all >= 8 * slab)
			slab *= 2;
		all += slab;
	}
	return all;
}

/*
 * Bytes of events of a part whose nodes make so many hops a tick together.  Each tick has lists of
 * its own, whose blocks are full only where there are many events: beyond the machine that had
 * most it is the events that count, below it a power of the hops.
 */
static double wheel_bytes(const struct plan_constants *c, double hops)
{
	const struct plan_probe *a = &c->small, *b = &c->middle, *l = &c->large;
	double near = a->last.hops / a->last.ticks, far = b->last.hops / b->last.ticks;
	double slope = EVENT_BYTES * b->events / far, most_hops = l->last.hops / l->last.ticks;
	double power;

	if (hops > far && most_hops > far) {
		a = b;
		b = l;
		near = far;
		far = most_hops;
	}
	if (hops > far)
		return b->wheel_bytes + slope * (hops - far);
	power = log(b->wheel_bytes / a->wheel_bytes) / log(far / near);
	return b->wheel_bytes * pow(hops / far, fmin(fmax(power, 0), 1));
}

/**
 * plan_memory - what a machine takes
 * @memory: gets it
 * @c: what others took
 * @config: what it would be made from
 * @load: what it does
 * @course: the run
 * @boxes: how it is cut
 * @ticks: of the run
 */
void plan_memory(struct plan_memory *memory, const struct plan_constants *c,
		 const struct torus_config *config, const struct plan_load *load,
		 const struct plan_course *course, const struct plan_boxes *boxes, double ticks)
{
	u32 parts = torus_config_parts(config), ranks = config->ranks ? config->ranks->count : 1;
	const struct plan_probe *p = &c->middle;
	double nodes = (double)config->geo.nodes / ranks, own = parts / ranks, part = nodes / own;
	double mail = boxes->part_links / (boxes->links + 1.0) * course->last * 2 *
		      p->window_ticks * (2.0 * sizeof(struct torus_mail) +
					 sizeof(struct torus_packet));
	double start = (p->start_bytes - sizeof(struct torus_fabric)) / p->config.geo.nodes;
	double later = ticks >= p->later_at ? p->later_bytes / p->config.geo.nodes : 0;

	memory->rest = (double)torus_config_bytes(config) + start * nodes;
	memory->run = memory->rest + nodes * (later + 2 * mail) +
		      own * pieces(part * course->held * p->packet_bytes,
				   (double)TORUS_GRAIN * (1 << TORUS_SEGMENT_BITS)) +
		      own * slabs(wheel_bytes(c, part * course->last));
	memory->all = memory->run * ranks;
}

/* ---------------------------------------------------------------------- time */

/* How much more the one that has most to do has, of so many with @hops each in the mean. */
static double imbalance(double hops, double parts)
{
	return parts > 1 && hops > 0 ? sqrt(2 * log(parts) / hops) : 0;
}

/* A window of a rate of hops a node and tick, in its parts. */
static void window(struct plan_time *t, const struct plan_constants *c,
		   const struct plan_parallel *p, double rate, double span, double hop_s)
{
	double all = rate * span * p->nodes, fullest = rate * span * p->part_nodes;
	double cross = p->links > 0 ? p->part_links / p->links : 0;
	double load = fmax(p->parts / p->cores, 1), bytes;

	t->compute = all / p->parts * (hop_s + cross * c->link.mail_s) * load;
	t->imbalance = (fullest * (1 + imbalance(fullest, p->parts)) - all / p->parts) *
		       (hop_s + cross * c->link.mail_s) * load;
	t->latency = p->parts > p->ranks ? c->link.meet_s * log2(p->parts / p->ranks) : 0;
	t->bandwidth = 0;
	t->message = 0;
	if (p->ranks < 2)
		return;
	/* a hop over a link is told there with its packet, and back with its tokens */
	bytes = rate * span * p->nodes / fmax(p->links, 1) *
		(2.0 * sizeof(struct torus_mail) + sizeof(struct torus_packet));
	t->message = bytes * p->pair_links / 2;
	t->latency += c->link.latency_s * (ceil(log2(p->ranks)) + 1) * fmax(p->ranks / p->cores, 1);
	t->bandwidth = (bytes * p->own_links / 2 + p->ranks * sizeof(struct torus_published)) /
		       c->link.bytes_s;
}

/**
 * plan_time - how long a run takes
 * @time: gets it
 * @c: what has been measured
 * @load: what the machine does
 * @course: the run
 * @p: who simulates it
 * @ticks: of the run
 * @tick_fs: femtoseconds of a tick
 */
void plan_time(struct plan_time *time, const struct plan_constants *c,
	       const struct plan_load *load, const struct plan_course *course,
	       const struct plan_parallel *p, double ticks, double tick_fs)
{
	double core = p->core_bytes, span = (double)c->middle.window_ticks, windows, looks;
	double packet_s = plan_packet_s(c, core), low = plan_hop_s(c, core, 0);
	double high = plan_hop_s(c, core, 1), hop_s, parallel;
	double cross = p->links > 0 ? p->part_links / p->links : 0;

	/* the mean window of the run, each hop with its part of its packet's own */
	hop_s = (course->hops * low + course->weighed * (high - low) +
		 course->packets * packet_s) / course->hops;
	window(time, c, p, course->hops / ticks, span, hop_s);
	windows = ticks / span;
	parallel = time->compute + time->imbalance + time->latency + time->bandwidth;
	time->cpu = course->hops * p->nodes * (hop_s + cross * c->link.mail_s);
	/* who waits at a window's end spins */
	if (p->parts > 1)
		time->cpu = fmax(time->cpu, windows * parallel * fmin(p->parts, p->cores));
	time->wall = p->parts > 1 ? windows * parallel : time->cpu;
	/* one thread of each rank looks at its nodes where parts of the window end */
	looks = (p->looks * c->large.look_s + 2 * c->large.moment_s) /
		c->large.config.geo.nodes * p->nodes;
	time->cpu += looks;
	time->wall += looks / p->ranks;
	time->setup = c->large.setup_s / c->large.config.geo.nodes * p->nodes;

	window(time, c, p, load->rate, span, high + packet_s / load->distance);
	time->window = time->compute + time->imbalance + time->latency + time->bandwidth;
	time->ms = time->window * FS_PER_MS / tick_fs / span;
}
