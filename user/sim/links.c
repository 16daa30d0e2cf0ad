// SPDX-License-Identifier: GPL-2.0
/* Every link's counters, over the whole run, as CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/state/domain.h"
#include "out.h"
#include "series.h"
#include "sim.h"

#define TOGETHER	256	/* nodes whose links are looked at together */

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

/* A link's counters and its two CRCs, as numbers that ranks can add up. */
struct link {
	struct torus_link_counters counters;
	u64 tx_crc;
	u64 rx_crc;
};

/* The links of some nodes: of one between ranks each has its end's part. */
static void take(struct torus_fabric *fabric, u32 first, u32 nodes, struct link *links)
{
	u32 dirs = torus_fabric_dirs(fabric), i;
	struct torus_link_view v;

	memset(links, 0, (size_t)nodes * dirs * sizeof(*links));
	for (i = 0; i < nodes * dirs; i++) {
		u32 node = first + i / dirs, dir = i % dirs;

		if (!torus_link_near(fabric, node, dir))
			continue;
		torus_link_counters(fabric, node, dir, &links[i].counters);
		torus_link_view(fabric, node, dir, &v);
		links[i].tx_crc = v.tx_crc;
		links[i].rx_crc = v.rx_crc;
	}
	torus_ranks_sum(fabric, (u64 *)links, (size_t)nodes * dirs * sizeof(*links) / sizeof(u64));
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

/**
 * sim_links_write - write every link's counters
 * @fabric: after its run
 * @path: of the file; "-" is standard output
 *
 * Return: SIM_OK, or SIM_FAILED after telling why.
 */
int sim_links_write(struct torus_fabric *fabric, const char *path)
{
	const struct torus_config *cfg = torus_fabric_config(fabric);
	FILE *out = sim_out_open("--links", path);
	u32 dirs = torus_fabric_dirs(fabric), node, n, i;
	struct link *links = calloc((size_t)TOGETHER * dirs, sizeof(*links));

	if (!links)
		sim_failed("--links %s: no memory for %u links", path, TOGETHER * dirs);
	if (!out || !links) {
		if (out && out != stdout)
			fclose(out);
		free(links);
		return SIM_FAILED;
	}
	header(out, cfg);
	for (node = 0; node < cfg->geo.nodes; node += n) {
		n = cfg->geo.nodes - node < TOGETHER ? cfg->geo.nodes - node : TOGETHER;
		take(fabric, node, n, links);
		for (i = 0; i < n * dirs; i++)
			row(out, fabric, node + i / dirs, i % dirs, &links[i]);
	}
	free(links);
	return sim_out_close(out, "--links", path);
}
