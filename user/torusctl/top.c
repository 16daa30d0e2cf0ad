// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl top: draw maps of how busy a fabric's links and how full its FIFOs are, and refresh
 * these maps.
 *
 * The first picture shows the time since the fabric was reset, although its counters may have been
 * reset later. Each later picture shows the time since the previous picture.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../netlink/counter.h"
#include "../netlink/node.h"
#include "../devquery/query.h"
#include "../report/json.h"
#include "../report/heatmap.h"
#include "../config/args.h"
#include "cli.h"
#include "../config/ctl.h"
#include "print/crop.h"
#include "objects.h"
#include "../config/oneline.h"
#include "print/output.h"
#include "../config/node_addr.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "../parse/integer.h"
#include "../parse/shape.h"

#define EVERY_MS	1000	/* default time between two pictures */

enum { MAP_INJECT, MAP_RECEIVE, MAPS };

/**
 * struct picture - the data of a picture
 * @ctl: the call
 * @target: the fabric
 * @links: by link: busy ticks at the last picture
 * @use: by node and dimension: mean utilization of the two links, where a missing link counts as
 *    idle; NaN: no link
 * @full: by node and FIFO direction: fill of the fullest FIFO as a fraction of @depth; NaN: no FIFO
 * in use
 * @depth: size of a FIFO in chunks
 * @has_fifos: true if @full is known
 * @clock: clock of this picture in ticks
 * @ticks: ticks since the last picture
 * @counters: counters of the fabric
 */
struct picture {
	struct ctl *ctl;
	struct target target;
	uint64_t *links;
	double *use;
	double *full;
	double depth;
	bool has_fifos;
	uint64_t clock;
	uint64_t ticks;
	struct torus_fabric_counters counters;
};

static unsigned int ndims(const struct picture *p)
{
	return p->target.fabric.ndims;
}

/* Return the position of a node on the map; UINT32_MAX if its coordinates are unknown. */
static uint32_t place_index(const struct picture *p, uint32_t node)
{
	const struct torus_nl_fabric *fabric = &p->target.fabric;
	uint32_t coords[TORUS_DIMS_MAX], index = 0;
	unsigned int dim;

	if (!place_coords(fabric, node, coords))
		return UINT32_MAX;
	for (dim = fabric->ndims; dim; dim--)
		index = index * fabric->dims[dim - 1] + coords[dim - 1];
	return index;
}

/* ------------------------------------------------------------------ counters */

static void look_link(struct picture *p, const struct torus_nl_link *link)
{
	uint32_t index = place_index(p, link->node);
	uint64_t *last, busy = link->counters.busy_ticks, more;
	double *use;

	if (index >= p->target.fabric.nodes || link->dir / 2 >= ndims(p))
		return;
	last = &p->links[(size_t)index * 2 * ndims(p) + link->dir];
	use = &p->use[(size_t)index * ndims(p) + link->dir / 2];
	/* if the counters were reset meanwhile, they started at 0 */
	if (busy < *last)
		*last = 0;
	if (isnan(*use))
		*use = 0;
	/* the links are read after the clock, so their counters may include later ticks */
	more = busy - *last < p->ticks ? busy - *last : p->ticks;
	if (p->ticks)
		*use += (double)more / (double)p->ticks / 2;
	*last = busy;
}

static int look_links(struct picture *p)
{
	struct torus_nl_link *links;
	size_t count, i;

	for (i = 0; i < (size_t)p->target.fabric.nodes * ndims(p); i++)
		p->use[i] = NAN;
	if (torus_nl_counter_dump(p->ctl->nl, p->target.name, NULL, &links, &count))
		return ctl_failed(p->ctl);
	for (i = 0; i < count; i++)
		look_link(p, &links[i]);
	free(links);
	return CTL_OK;
}

static int look_fifos(struct picture *p)
{
	struct torus_fifo_counters *fifos;
	struct torus_nl_node *nodes;
	size_t count, n, i, j;

	if (torus_nl_node_dump(p->ctl->nl, p->target.name, &nodes, &n))
		return ctl_failed(p->ctl);
	for (i = 0; i < (size_t)p->target.fabric.nodes * MAPS; i++)
		p->full[i] = NAN;
	for (i = 0; i < n; i++) {
		uint32_t index = place_index(p, nodes[i].node);

		/* a program may have ended since the list of nodes was read */
		if (!nodes[i].contexts || index >= p->target.fabric.nodes ||
		    torus_nl_node_fifos(p->ctl->nl, p->target.name, nodes[i].node, &fifos, &count))
			continue;
		for (j = 0; j < count; j++) {
			double *full = &p->full[(size_t)index * MAPS +
						(fifos[j].receive ? MAP_RECEIVE : MAP_INJECT)];
			double part = fifos[j].chunks / p->depth;

			if (isnan(*full) || part > *full)
				*full = part;
		}
		free(fifos);
	}
	free(nodes);
	return CTL_OK;
}

static int picture_update(struct picture *p)
{
	uint64_t before = p->clock;
	int status;

	if (torus_nl_counter_get(p->ctl->nl, p->target.name, &p->counters))
		return ctl_failed(p->ctl);
	p->clock = p->counters.clock;
	/* if the fabric was reset meanwhile, its clock started at 0 */
	p->ticks = p->clock - (p->clock < before ? 0 : before);
	status = look_links(p);
	if (!status && p->has_fifos)
		status = look_fifos(p);
	return status;
}

/* ------------------------------------------------------------------- drawing */

static double link_value(const struct report_heat *heat, uint32_t node, unsigned int map)
{
	const struct picture *p = heat->arg;

	return p->use[(size_t)node * heat->ndims + map];
}

static double fifo_value(const struct report_heat *heat, uint32_t node, unsigned int map)
{
	const struct picture *p = heat->arg;

	return p->full[(size_t)node * MAPS + map];
}

static void draw_text(const struct picture *p, FILE *out, unsigned int columns)
{
	const struct torus_nl_fabric *fabric = &p->target.fabric;
	struct report_heat heat = {
		.ndims = fabric->ndims, .dims = fabric->dims, .value = link_value, .arg = p,
		.columns = columns, .none = "no link",
	};
	char time[OUTPUT_TEXT_MAX];

	fprintf(out, "%s: clock %llu ticks (%s), the last %llu; ", p->target.name,
		(unsigned long long)p->clock,
		report_time_text(output_ns(fabric->tick_fs, (double)p->clock), time, sizeof(time)),
		(unsigned long long)p->ticks);
	fprintf(out, "injected %llu delivered %llu in flight %llu\n",
		(unsigned long long)p->counters.injected,
		(unsigned long long)p->counters.delivered,
		(unsigned long long)p->counters.in_flight);
	report_heat_links(out, &heat, "links busy, in tenths of the last ticks (mean of a node's "
			  "two links)");
	if (!p->has_fifos)
		return;
	heat.value = fifo_value;
	fputs("injection FIFOs, in tenths, the fullest of each node; - no FIFO in use\n", out);
	report_heat_map(out, &heat, MAP_INJECT);
	fputs("reception FIFOs\n", out);
	report_heat_map(out, &heat, MAP_RECEIVE);
}

static void add_part(struct json_object *list, double value)
{
	json_object_array_add(list, isnan(value) ? NULL : json_object_new_double(value));
}

static void draw_json(const struct picture *p)
{
	struct json_object *doc = json_object_new_object(), *maps = json_object_new_object();
	static const char *const fifos[MAPS] = { "injection_fifos", "reception_fifos" };
	uint32_t nodes = p->target.fabric.nodes, node;
	char name[PARSE_DIM_MAX];
	unsigned int map;

	report_add_text(doc, "fabric", p->target.name);
	report_add_u64(doc, "clock", p->clock);
	report_add_u64(doc, "ticks", p->ticks);
	report_add_u64(doc, "injected", p->counters.injected);
	report_add_u64(doc, "delivered", p->counters.delivered);
	report_add_u64(doc, "in_flight", p->counters.in_flight);
	for (map = 0; map < ndims(p); map++) {
		struct json_object *list = json_object_new_array();

		for (node = 0; node < nodes; node++)
			add_part(list, p->use[(size_t)node * ndims(p) + map]);
		json_object_object_add(maps, parse_dim_name(map, name, sizeof(name)), list);
	}
	json_object_object_add(doc, "links", maps);
	for (map = 0; map < MAPS && p->has_fifos; map++) {
		struct json_object *list = json_object_new_array();

		for (node = 0; node < nodes; node++)
			add_part(list, p->full[(size_t)node * MAPS + map]);
		json_object_object_add(doc, fifos[map], list);
	}
	output_json(p->ctl, doc);
}

static int draw(struct picture *p, bool again)
{
	struct winsize size;
	char *text = NULL;
	size_t bytes;
	FILE *out;

	if (p->ctl->json) {
		draw_json(p);
	} else if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ||
		   !size.ws_row || !size.ws_col) {
		draw_text(p, stdout, 0);
	} else {
		out = open_memstream(&text, &bytes);
		if (out) {
			draw_text(p, out, size.ws_col);
			fclose(out);
		}
		/* move the cursor home and clear the screen */
		if (again)
			fputs("\033[H\033[J", stdout);
		if (text)
			crop_print(stdout, text, size.ws_row, size.ws_col);
		free(text);
	}
	return output_flush() ? CTL_FAILED : CTL_OK;
}

static void pause_ms(uint32_t ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

/* Find out whether programs of the fabric have FIFOs, and the size of a FIFO. */
static int ask_depth(struct picture *p)
{
	struct torus_ioc_fabric fabric;
	struct parse_error why;
	int fd = query_open(&why);
	bool known = fd >= 0 && query_fabric(fd, p->target.name, &fabric, &why);

	if (fd >= 0)
		close(fd);
	if (!known) {
		ctl_error(p->ctl, "%s", why.text);
		return CTL_FAILED;
	}
	p->has_fifos = fabric.inject_fifos && fabric.fifo_chunks;
	p->depth = fabric.fifo_chunks;
	return CTL_OK;
}

static int pictures(struct picture *p, uint32_t every, uint32_t n)
{
	uint32_t nodes = p->target.fabric.nodes, i;
	int status = ask_depth(p);

	p->links = calloc((size_t)nodes * 2 * ndims(p), sizeof(*p->links));
	p->use = calloc((size_t)nodes * ndims(p), sizeof(*p->use));
	p->full = calloc((size_t)nodes * MAPS, sizeof(*p->full));
	if (!status && (!p->links || !p->use || !p->full)) {
		ctl_error(p->ctl, "%s: out of memory for %u nodes", p->target.name, nodes);
		status = CTL_FAILED;
	}
	for (i = 0; !status && (!n || i < n); i++) {
		if (i)
			pause_ms(every);
		status = picture_update(p);
		if (!status)
			status = draw(p, n != 1);
	}
	free(p->links);
	free(p->use);
	free(p->full);
	return status;
}

/* Parse FABRIC [every MS] [-n N] and draw pictures. */
static int top(struct ctl *ctl, struct ctl_args *args)
{
	struct picture p = { .ctl = ctl };
	uint32_t every = EVERY_MS, n = 0;
	struct parse_error why;
	const char *key, *word;
	int status = target_parse(ctl, args, TARGET_FABRIC, &p.target);

	while (!status && (key = ctl_next(args))) {
		bool pause = !strcmp(key, "every");

		if (!pause && strcmp(key, "-n"))
			return ctl_usage(ctl, "unexpected argument: %s", key);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!parse_u32(key, word, 1, pause ? 3600000 : UINT32_MAX, pause ? &every : &n,
			       &why))
			return ctl_reject(ctl, "%s", why.text);
	}
	if (!status)
		status = target_find(ctl, &p.target);
	ctl_stoppable();
	return status ? status : pictures(&p, every, n);
}

static const struct ctl_command commands[] = {
	{ "", "FABRIC [every MS] [-n N]", top },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_top = {
	.name = "top",
	.help = "maps of the utilization of links and the fill level of FIFOs",
	.details = "MS = milliseconds between two pictures (1000)\n"
		   "N = number of pictures (no limit until an interrupt)\n",
	.commands = commands,
};
