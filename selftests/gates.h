/* SPDX-License-Identifier: GPL-2.0 */
/* Chains of barrier gates over processes, through libtofucom, on fabric FABRIC. */
#ifndef TORUS_SELFTESTS_GATES_H
#define TORUS_SELFTESTS_GATES_H

#include <utofu.h>
#include "device.h"
#include "../user/tofu/chain.h"

#define MEMBERS_MANY	64
#define GATES		8

/* Memory shared by the processes of a chain, for exchanges outside the network. */
struct gates_shared {
	uint64_t ids[MEMBERS_MANY][GATES];
	unsigned int ready;
	unsigned int entered[MEMBERS_MANY];
	unsigned int held;
};

/* Set the environment of a process at @node, like torus-run. */
static inline void be_at(unsigned int node)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", node);
	setenv("TORUS_FABRIC", FABRIC, 1);
	setenv("TORUS_NODE", text, 1);
}

/* Barrier in shared memory: wait until the count of arrivals is @until. */
static inline void meet(struct gates_shared *all, unsigned int until)
{
	__atomic_add_fetch(&all->ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&all->ready, __ATOMIC_SEQ_CST) < until)
		sched_yield();
}

static inline uint64_t peer_id(const struct gates_shared *all, const struct tofu_chain_peer *peer)
{
	return peer->member == TOFU_CHAIN_NONE ? UTOFU_VBG_ID_NULL :
						 all->ids[peer->member][peer->gate];
}

/*
 * Allocate the gates of member @rank on TNI @tni, and configure them as a part of the chain of all
 * members.
 */
static inline int join(struct gates_shared *all, unsigned int members, unsigned int rank,
		       utofu_tni_id_t tni)
{
	uint32_t count = tofu_chain_gates(members, rank), i;
	struct tofu_chain_gate chain[TOFU_CHAIN_GATES_MAX];
	struct utofu_vbg_setting set[GATES];
	uint64_t *own = all->ids[rank];
	int ret = utofu_alloc_vbg(tni, count, 0, own);

	meet(all, members);
	tofu_chain_build(members, rank, chain);
	for (i = 0; i < count; i++)
		set[i] = (struct utofu_vbg_setting) {
			.vbg_id = own[i],
			.src_lcl_vbg_id = chain[i].local_source == TOFU_CHAIN_NONE ?
					  UTOFU_VBG_ID_NULL : own[chain[i].local_source],
			.src_rmt_vbg_id = peer_id(all, &chain[i].remote_source),
			.dst_lcl_vbg_id = chain[i].local_dest == TOFU_CHAIN_NONE ?
					  UTOFU_VBG_ID_NULL : own[chain[i].local_dest],
			.dst_rmt_vbg_id = peer_id(all, &chain[i].remote_dest),
			.dst_path_coords = { UTOFU_PATH_COORD_NULL, 0, 0 },
		};
	if (!ret)
		ret = utofu_set_vbg(set, count);
	meet(all, 2 * members);
	return ret;
}

#endif /* TORUS_SELFTESTS_GATES_H */
