// SPDX-License-Identifier: GPL-2.0
/* Sets up all members of a barrier: nodes, gates and chain. */
#include <stdlib.h>

#include "../sim/base/message.h"
#include "members.h"
#include "member.h"
#include "arch/tofu/channel.h"

static void members_done(void *owner, u32 node, u64 vbg)
{
	struct barrier_members *members = owner;

	barrier_member_done(&members->member[members->at[node]]);
}

/* Get the gates of a member's TNI, or allocate software gates. */
static int member_gates(struct barrier_member *member)
{
	struct torus_fabric *fabric = member->members->fabric;
	u32 at[TORUS_DIMS_MAX];
	struct torus_error err;

	if (member->members->by == BARRIER_GATES) {
		member->gates = tofu_barrier_gates(fabric, member->node, 0, &err);
		return member->gates ? SIM_OK : sim_error("member %u: %s", member->number,
							  err.text);
	}
	member->own = calloc(1, sizeof(*member->own));
	if (!member->own)
		return sim_error("out of memory for member %u", member->number);
	torus_geometry_coords(&fabric->cfg.geo, member->node, at);
	tofu_gates_init(member->own, tofu_vbg(at, 0, 0), &barrier_software_ops, member);
	member->gates = member->own;
	return SIM_OK;
}

static int member_begin(struct barrier_members *members, u32 number)
{
	const struct barrier_plan *plan = members->plan;
	struct barrier_member *member = &members->member[number];
	struct torus_error err;
	u32 generation;
	int status;

	member->members = members;
	member->number = number;
	member->node = plan->node[number];
	member->times = &members->times[(size_t)number * plan->times];
	member->rng = torus_mix(plan->config.seed ^ torus_mix(0x64656c6179ull + number)) | 1;
	members->at[member->node] = number;
	status = member_gates(member);
	if (status)
		return status;
	if (tofu_gates_alloc(member->gates, tofu_chain_gates(plan->members, number), member->vbg))
		return sim_error("member %u: its chain must not have more gates than a TNI",
				 number);
	if (torus_nic_attach(members->fabric, member->node, 0, false, &barrier_member_ops, member,
			     &generation, &err))
		return sim_reject("member %u: %s", number, err.text);
	return SIM_OK;
}

static u64 own_vbg(const struct barrier_member *member, u32 gate)
{
	return gate == TOFU_CHAIN_NONE ? TOFU_VBG_NULL : member->vbg[gate];
}

static u64 peer_vbg(const struct barrier_members *members, struct tofu_chain_peer peer)
{
	return peer.member == TOFU_CHAIN_NONE ? TOFU_VBG_NULL :
						members->member[peer.member].vbg[peer.gate];
}

static int member_chain(struct barrier_members *members, struct barrier_member *member)
{
	struct tofu_chain_gate gate[TOFU_CHAIN_GATES_MAX];
	u32 count = tofu_chain_build(members->plan->members, member->number, gate), i;

	for (i = 0; i < count; i++) {
		const struct tofu_gate_setting setting = {
			.gate = member->vbg[i],
			.local_source = own_vbg(member, gate[i].local_source),
			.remote_source = peer_vbg(members, gate[i].remote_source),
			.local_dest = own_vbg(member, gate[i].local_dest),
			.remote_dest = peer_vbg(members, gate[i].remote_dest),
			.path = TOFU_GATE_PATH_DEFAULT,
		};

		if (tofu_gates_set(member->gates, &setting))
			return sim_error("member %u: cannot set gate %u", member->number, i);
	}
	barrier_member_start(member);
	return SIM_OK;
}

/**
 * barrier_members_begin - attach all members to their nodes, connect their gates to a chain, and
 *   start the first operation of each
 * @members: [out] the members; the caller calls barrier_members_end(), also after a failure
 * @plan: parameters of the run
 * @by: gates or software
 * @fabric: a new Tofu fabric that does not run
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int barrier_members_begin(struct barrier_members *members, const struct barrier_plan *plan,
			  enum barrier_by by, struct torus_fabric *fabric)
{
	u32 nodes = plan->config.geo.nodes, i;
	struct torus_error err;
	int status = SIM_OK;

	*members = (struct barrier_members){
		.plan = plan, .fabric = fabric, .by = by,
		.member = calloc(plan->members, sizeof(*members->member)),
		.at = calloc(nodes, sizeof(*members->at)),
		.times = calloc((size_t)plan->members * plan->times, sizeof(*members->times)),
	};
	torus_logs_init(&members->logs);
	if (!members->member || !members->at || !members->times)
		return sim_error("out of memory for %u members", plan->members);
	for (i = 0; i < nodes; i++)
		members->at[i] = TORUS_NONE;
	if (by == BARRIER_GATES && tofu_barrier_open(fabric, members_done, members, &err))
		return sim_error("%s", err.text);
	for (i = 0; i < plan->members && !status; i++)
		status = member_begin(members, i);
	for (i = 0; i < plan->members && !status; i++)
		status = member_chain(members, &members->member[i]);
	return status;
}

/**
 * barrier_members_end - detach and free all members
 * @members: the members
 */
void barrier_members_end(struct barrier_members *members)
{
	u32 i;

	for (i = 0; members->member && i < members->plan->members; i++) {
		struct barrier_member *member = &members->member[i];

		if (member->members)
			torus_nic_detach(members->fabric, member->node, 0);
		free(member->own);
		free(member->work.job);
		free(member->out.job);
	}
	free(members->member);
	free(members->at);
	free(members->times);
}
