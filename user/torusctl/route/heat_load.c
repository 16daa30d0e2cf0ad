// SPDX-License-Identifier: GPL-2.0
/*
 * Compute the number of packets on each link for a heat map. Sources are routing tables, a fabric's
 * counters, or the output of a run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../netlink/counter.h"
#include "../../route/xt/check.h"
#include "heat.h"
#include "heat_load.h"
#include "../../config/diag.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"

#define LINE_MAX_BYTES	1024
#define COLUMNS_MAX	64
#define PACKETS		"packets_VC"

/* Return the node that has a NID, or XT_NONE if no node has it. */
static uint32_t node_of(const struct xt_map *map, uint32_t nid)
{
	uint32_t region = nid >> XT_LOCAL_BITS, at = nid & ((1u << XT_LOCAL_BITS) - 1);
	uint32_t node = region * map->region_nodes + at;

	return region < map->regions && at < map->region_nodes && node < map->nodes ? node :
										      XT_NONE;
}

/**
 * heat_by_tables - compute the number of packets on each link if each node sends one packet to each
 * other node
 * @tables: the routing tables
 * @heat: [in, out] the map; @heat->load is filled in
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int heat_by_tables(struct ctl *ctl, const struct xt_tables *tables, struct heat *heat)
{
	struct xt_check check;
	uint32_t node, dir, vc;

	if (xt_check_init(&check, heat->map)) {
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	xt_check_run(&check, tables);
	for (node = 0; node < heat->map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir++)
			for (vc = 0; vc < XT_VCS; vc++)
				heat->load[node][dir][vc] = check.load[node][dir][vc];
	xt_check_free(&check);
	return CTL_OK;
}

/**
 * heat_by_counters - read the number of packets on each link from the counters of a fabric
 * @fabric: name of the fabric
 * @heat: [in, out] the map; @heat->load is filled in
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int heat_by_counters(struct ctl *ctl, const char *fabric, struct heat *heat)
{
	struct torus_nl_link *links;
	size_t count, i;
	int error = torus_nl_counter_dump(ctl->nl, fabric, NULL, &links, &count);

	if (error) {
		ctl_error(ctl, "fabric %s: cannot read its counters: %s", fabric, strerror(-error));
		return CTL_FAILED;
	}
	for (i = 0; i < count; i++) {
		uint32_t node = node_of(heat->map, links[i].node), vc;

		/*
		 * VCs 2 and 3 belong to the second class of packets: add their counters to those of
		 * VCs 0 and 1
		 */
		for (vc = 0; node != XT_NONE && links[i].dir < XT_DIRS && vc < TORUS_VCS_MAX; vc++)
			heat->load[node][links[i].dir][vc % XT_VCS] +=
				links[i].counters.packets[vc];
	}
	free(links);
	return CTL_OK;
}

/**
 * struct columns - columns of a file that torusctl route heat reads, with one line per link
 * @count: number of columns
 * @vc: by column: VC whose packets the column counts; -1 for other columns
 */
struct columns {
	unsigned int count;
	int vc[COLUMNS_MAX];
};

static bool read_header(char *line, struct columns *columns)
{
	const char *word;
	bool any = false;

	columns->count = 0;
	while ((word = strsep(&line, ",\n")) && *word && columns->count < COLUMNS_MAX) {
		bool packets = !strncmp(word, PACKETS, strlen(PACKETS));

		if (columns->count == 0 && strcmp(word, "node"))
			return false;
		if (columns->count == 1 && strcmp(word, "dir"))
			return false;
		any |= packets;
		columns->vc[columns->count++] = packets ? atoi(word + strlen(PACKETS)) : -1;
	}
	return any;
}

static bool read_line(char *line, const struct columns *columns, struct heat *heat)
{
	uint32_t node = XT_NONE;
	struct parse_error why;
	unsigned int i;
	uint32_t dir = 0;
	const char *word;

	for (i = 0; i < columns->count && (word = strsep(&line, ",\n")); i++) {
		__u64 number = 0;

		if (i == 1) {
			if (!parse_dir(word, &dir, &why) || dir >= XT_DIRS)
				return false;
			continue;
		}
		if (i && columns->vc[i] < 0)
			continue;
		if (!parse_number("links", word, 0, UINT64_MAX, &number, &why))
			return false;
		if (!i)
			node = number >> 32 ? XT_NONE : node_of(heat->map, (uint32_t)number);
		if (node == XT_NONE)
			return false;
		if (i)
			heat->load[node][dir][columns->vc[i] % XT_VCS] += number;
	}
	return i == columns->count;
}

/* Return the number of directed links of the machine, including absent cables. */
static uint32_t links_of(const struct xt_map *map)
{
	uint32_t dim, n, count = 0;

	for (dim = 0; dim < XT_DIMS; dim++) {
		n = map->dims[dim];
		if (n > 1)
			count += 2 * (map->nodes / n) * (map->mesh >> dim & 1 ? n - 1 : n);
	}
	return count;
}

/**
 * heat_by_links - read the number of packets on each link from a file
 * @path: file that torus-sim run --links has written
 * @heat: [in, out] the map; @heat->load is filled in
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int heat_by_links(struct ctl *ctl, const char *path, struct heat *heat)
{
	FILE *in = fopen(path, "r");
	char line[LINE_MAX_BYTES];
	struct columns columns;
	unsigned int number = 1;
	bool good;

	if (!in)
		return ctl_reject(ctl, "links %s: %s", path, strerror(errno));
	good = fgets(line, sizeof(line), in) && read_header(line, &columns);
	while (good && fgets(line, sizeof(line), in)) {
		number++;
		good = strchr(line, '\n') && read_line(line, &columns, heat);
	}
	fclose(in);
	if (good && number - 1 == links_of(heat->map))
		return CTL_OK;
	if (good)
		return ctl_reject(ctl, "links %s: the file has %u links, must have the %u links of "
				  "the machine", path, number - 1, links_of(heat->map));
	return ctl_reject(ctl, "links %s:%u: must be a line that torus-sim run --links writes for "
			  "this machine", path, number);
}
