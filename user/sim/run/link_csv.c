// SPDX-License-Identifier: GPL-2.0
/* The option --links: counters of all links over the whole run, as CSV. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../common/output_file.h"
#include "core/base/node_number.h"
#include "core/state/domain.h"
#include "link_csv.h"
#include "../base/output_file.h"
#include "series.h"
#include "../base/message.h"

#define TOGETHER	256	/* number of nodes whose links are exchanged in one message */

static void header(FILE *out, const struct torus_config *cfg)
{
	const struct torus_router_ops *router = cfg->arch->router(cfg);
	unsigned int vc;

	fputs("node,dir,peer,busy_ticks,resends,crc_errors", out);
	fputs(",stalls_token,stalls_lost,stalls_bubble,stalls_bus", out);
	for (vc = 0; vc < router->vcs; vc++)
		fprintf(out, ",packets_%s,chunks_%s", router->vc_names[vc], router->vc_names[vc]);
	if (cfg->arch->crc_bytes)
		fputs(",tx_crc,rx_crc", out);
	fputc('\n', out);
}

/*
 * A link's counters and CRCs. All members are u64, so that link_csv_add() sums the parts of
 * processes.
 */
struct link {
	struct torus_link_counters counters;
	u64 tx_crc;
	u64 rx_crc;
};

/* One process's part of a link's counters. @at: index of the link in the batch. */
struct link_part {
	u64 at;
	struct link link;
};

/* Read this process's part of a link's counters. */
static void take_own(struct torus_fabric *fabric, u32 node, u32 dir, struct link *link)
{
	struct torus_link_view v;

	torus_link_counters(fabric, node, dir, &link->counters);
	torus_link_view(fabric, node, dir, &v);
	link->tx_crc = v.tx_crc;
	link->rx_crc = v.rx_crc;
}

static void link_csv_add(struct link *sum, const struct link *link)
{
	u64 *to = (u64 *)sum;
	const u64 *from = (const u64 *)link;
	size_t i;

	for (i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

/*
 * Collect the counters of the links of some nodes. The processes at the two ends of a link each
 * have a part of its counters.
 */
static void link_csv_take(struct torus_fabric *fabric, u32 first, u32 nodes, struct link *links,
			  struct link_part *parts)
{
	struct torus_procs *ranks = fabric->cfg.procs;
	u32 dirs = torus_fabric_dirs(fabric), i, n = 0;
	const struct link_part *all = parts;
	size_t got;

	memset(links, 0, (size_t)nodes * dirs * sizeof(*links));
	for (i = 0; i < nodes * dirs; i++) {
		if (!torus_link_near(fabric, first + i / dirs, i % dirs))
			continue;
		parts[n].at = i;
		take_own(fabric, first + i / dirs, i % dirs, &parts[n++].link);
	}
	got = n * sizeof(*parts);
	if (ranks)
		all = ranks->pass(ranks, parts, got, &got);
	for (; got; got -= sizeof(*all), all++)
		link_csv_add(&links[all->at], &all->link);
}

static void row(FILE *out, struct torus_fabric *fabric, u32 node, u32 dir, const struct link *link)
{
	const struct torus_config *cfg = torus_fabric_config(fabric);
	u32 peer = torus_geometry_neighbor(&cfg->geo, node, dir);
	const struct torus_link_counters *c = &link->counters;
	char name[16];
	u32 i;

	if (peer == TORUS_NONE)
		return;
	fprintf(out, "%u,%s,%u,%llu,%llu,%llu", torus_node_number(&cfg->geo, node),
		torus_direction_name(dir, name, sizeof(name)),
		torus_node_number(&cfg->geo, peer), (unsigned long long)c->busy_ticks,
		(unsigned long long)c->resends,
		(unsigned long long)(c->crc_header_errors + c->crc_packet_errors));
	for (i = 0; i < TORUS_STALL_MAX; i++)
		fprintf(out, ",%llu", (unsigned long long)c->stalls[i]);
	for (i = 0; i < cfg->arch->router(cfg)->vcs; i++)
		fprintf(out, ",%llu,%llu", (unsigned long long)c->packets[i],
			(unsigned long long)c->chunks[i]);
	if (cfg->arch->crc_bytes)
		fprintf(out, ",%08llx,%08llx", link->tx_crc, link->rx_crc);
	fputc('\n', out);
}

/*
 * Write this process's rows into the shared file, at its place after byte @at. Advance @at by the
 * length of the rows of all processes. Return errno, or 0.
 */
static int rows_apart(int fd, off_t *at, struct torus_fabric *fabric, u32 first, u32 nodes,
		      const struct link *links)
{
	struct torus_procs *ranks = fabric->cfg.procs;
	u32 dirs = torus_fabric_dirs(fabric), i;
	u32 begin = (u32)((u64)nodes * ranks->self / ranks->count);
	u32 end = (u32)((u64)nodes * (ranks->self + 1) / ranks->count);
	size_t size = 0, done, got;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	const u64 *sizes;
	int failed = 0;
	u64 own;

	for (i = begin * dirs; out && i < end * dirs; i++)
		row(out, fabric, first + i / dirs, i % dirs, &links[i]);
	if (!out || fclose(out))
		ranks->no_memory(ranks);
	own = size;
	sizes = ranks->pass(ranks, &own, sizeof(own), &got);
	for (i = 0; i < ranks->self; i++)
		*at += (off_t)sizes[i];
	for (done = 0; done < size && !failed; ) {
		ssize_t n = pwrite(fd, text + done, size - done, *at + (off_t)done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			failed = errno;
	}
	for (; i < ranks->count; i++)
		*at += (off_t)sizes[i];
	free(text);
	return failed;
}

/*
 * Write the rows of all links, in parallel if the file can be shared. Return the greatest errno
 * of all processes, or 0.
 */
static int rows(FILE *out, struct torus_fabric *fabric, struct link *links, struct link_part *parts)
{
	struct torus_procs *ranks = fabric->cfg.procs;
	u32 nodes = fabric->nodes, dirs = torus_fabric_dirs(fabric), node, n, i;
	int fd = -1, failed = 0, now;
	off_t at;

	fflush(out);
	if (ranks)
		fd = sim_output_share(out, ranks);
	/*
	 * the header is in the file before any rows, because link_csv_take() waits for all
	 * processes
	 */
	at = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	for (node = 0; node < nodes; node += n) {
		n = nodes - node < TOGETHER ? nodes - node : TOGETHER;
		link_csv_take(fabric, node, n, links, parts);
		for (i = 0; fd < 0 && i < n * dirs; i++)
			row(out, fabric, node + i / dirs, i % dirs, &links[i]);
		now = fd < 0 ? 0 : rows_apart(fd, &at, fabric, node, n, links);
		failed = failed ? failed : now;
	}
	if (fd >= 0 && close(fd) && !failed)
		failed = errno;
	return (int)torus_procs_max(fabric, (u64)failed);
}

/**
 * sim_link_csv_write - write the counters of all links
 * @fabric: the fabric after its run
 * @path: name of the file; "-" is standard output
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_link_csv_write(struct torus_fabric *fabric, const char *path)
{
	const struct torus_config *cfg = torus_fabric_config(fabric);
	FILE *out = sim_output_open("--links", path);
	size_t count = (size_t)TOGETHER * torus_fabric_dirs(fabric);
	struct link *links = calloc(count, sizeof(*links));
	struct link_part *parts = calloc(count, sizeof(*parts));
	int failed;

	if (out && (!links || !parts))
		sim_error("--links %s: out of memory for %zu links", path, count);
	if (!out || !links || !parts) {
		if (out)
			torus_output_discard(out, path);
		free(links);
		free(parts);
		return SIM_FAILED;
	}
	header(out, cfg);
	failed = rows(out, fabric, links, parts);
	free(links);
	free(parts);
	if (!failed)
		return sim_output_close(out, "--links", path);
	torus_output_discard(out, path);
	return sim_error("--links %s: %s", path, strerror(failed));
}
