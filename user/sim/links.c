// SPDX-License-Identifier: GPL-2.0
/* Every link's counters, over the whole run, as CSV. */
#include <stdio.h>

#include "core/base/number.h"
#include "out.h"
#include "series.h"
#include "sim.h"

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

static void row(FILE *out, struct torus_fabric *fabric, u32 node, u32 dir)
{
	const struct torus_config *cfg = torus_fabric_config(fabric);
	u32 peer = torus_geometry_neighbor(&cfg->geo, node, dir);
	struct torus_link_counters c;
	struct torus_link_view v;
	char name[16];
	u32 i;

	if (peer == TORUS_NONE)
		return;
	torus_link_counters(fabric, node, dir, &c);
	fprintf(out, "%u,%s,%u,%llu,%llu,%llu", torus_node_number(&cfg->geo, node),
		torus_direction_name(dir, name, sizeof(name)),
		torus_node_number(&cfg->geo, peer), (unsigned long long)c.busy_ticks,
		(unsigned long long)c.resends,
		(unsigned long long)(c.crc_header_errors + c.crc_packet_errors));
	for (i = 0; i < TORUS_STALL_MAX; i++)
		fprintf(out, ",%llu", (unsigned long long)c.stalls[i]);
	for (i = 0; i < cfg->arch->router(cfg)->vcs; i++)
		fprintf(out, ",%llu,%llu", (unsigned long long)c.packets[i],
			(unsigned long long)c.chunks[i]);
	if (cfg->arch->crc_bytes) {
		torus_link_view(fabric, node, dir, &v);
		fprintf(out, ",%08x,%08x", v.tx_crc, v.rx_crc);
	}
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
	u32 node, dir;

	if (!out)
		return SIM_FAILED;
	header(out, cfg);
	for (node = 0; node < cfg->geo.nodes; node++)
		for (dir = 0; dir < torus_fabric_dirs(fabric); dir++)
			row(out, fabric, node, dir);
	return sim_out_close(out, "--links", path);
}
