// SPDX-License-Identifier: GPL-2.0
/*
 * Reject configurations that the core's narrow fields cannot hold. Packets and nodes must fit in
 * few cache lines, so their fields are only as wide as the known machines need. This check rejects
 * larger values with an error message before a cast truncates them.
 */
#include "core/run/limits.h"
#include "core/nic/group.h"
#include "core/nic/inject_queue.h"
#include "core/run/params.h"
#include "core/state/domain.h"

/* A number of the configuration, and the maximum that the core's field for it can hold. */
struct limit {
	const char *what;
	u64 value;
	u64 most;
};

/*
 * Return the maximum length of a shortest path between two nodes, in links of a machine without
 * faults.
 */
static u64 limit_diameter(const struct torus_geometry *g)
{
	u64 links = 0;
	u32 i;

	for (i = 0; i < g->ndims; i++)
		links += g->mesh >> i & 1 ? g->dims[i] - 1 : g->dims[i] / 2;
	return links;
}

/**
 * torus_limit_check() - check that a configuration fits the core's fields
 * @cfg: the configuration, with its shape
 * @err: [out] name of the field, its value and its maximum
 *
 * Return: 0 or -ERANGE.
 */
int torus_limit_check(const struct torus_config *cfg, struct torus_error *err)
{
	const struct torus_arch *arch = cfg->arch;
	const struct limit limits[] = {
		{ "chunks of a packet", arch->packet_chunks_max, TORUS_PACKET_CHUNKS_MAX },
		{ "bytes of a packet with its CRC and valid byte",
		  (u64)arch->packet_chunks_max * arch->chunk_bytes + arch->crc_bytes + 1,
		  TORUS_SCRATCH_BYTES },
		{ "bytes of a header", arch->header_bytes, TORUS_WIRE_HEADER_MAX },
		{ "FIFO groups of a node", arch->groups, 256 },
		{ "injection FIFOs of a group", arch->inject_fifos, TORUS_NIC_INJECT_MAX },
		{ "injection FIFOs of a node", (u64)arch->groups * arch->inject_fifos,
		  TORUS_NODE_FIFOS_MAX },
		{ "reception FIFOs of a group", arch->receive_fifos, TORUS_NIC_RECEIVE_MAX },
		{ "chunks of a FIFO", arch->fifo_chunks, TORUS_QUEUE_CHUNKS_MAX },
		{ "virtual channels of a link", arch->router(cfg)->vcs, TORUS_VCS_MAX },
		{ "parameters", torus_param_count(arch), TORUS_PARAMS_MAX },
		{ "links on the longest path between two nodes", limit_diameter(&cfg->geo),
		  TORUS_PACKET_HOPS_MAX - 1 },
	};
	u32 i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].value > limits[i].most)
			return torus_fail(err, ERANGE, "%s: %llu %s, must be at most %llu",
					  arch->name, limits[i].value, limits[i].what,
					  limits[i].most);
	if (cfg->params[TORUS_P_SOURCE_FIFOS] > torus_arch_fifos(arch))
		return torus_fail(err, ERANGE,
				  "source_fifos=%llu: a node of %s has only %u injection FIFOs "
				  "without priority", cfg->params[TORUS_P_SOURCE_FIFOS], arch->name,
				  torus_arch_fifos(arch));
	return 0;
}
