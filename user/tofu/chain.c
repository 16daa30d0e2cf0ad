// SPDX-License-Identifier: GPL-2.0
/* Compute the gates of a barrier chain, as chain.h describes it. */
#include <stddef.h>
#include "chain.h"

/**
 * struct chain - position of a member in the chain
 * @steps: k: the first 2^k members exchange packets in k steps
 * @member: number of the member
 * @outer: outer member that this member serves, or TOFU_CHAIN_NONE
 */
struct chain {
	uint32_t steps;
	uint32_t member;
	uint32_t outer;
};

static struct chain chain_of(uint32_t members, uint32_t member)
{
	struct chain chain = {
		.steps = 31 - (uint32_t)__builtin_clz(members),
		.member = member,
		.outer = TOFU_CHAIN_NONE,
	};

	if (member + (1u << chain.steps) < members)
		chain.outer = member + (1u << chain.steps);
	return chain;
}

static bool is_outer(const struct chain *chain)
{
	return chain->member >> chain->steps;
}

/* Return the gate that sends in a step. Its packet is received by the gate of the next step. */
static uint32_t sends_in(const struct chain *chain, uint32_t step)
{
	return step + (chain->outer != TOFU_CHAIN_NONE);
}

static uint32_t waits_after(const struct chain *chain, uint32_t step)
{
	uint32_t gate = sends_in(chain, step) + 1;

	return gate == chain->steps && chain->outer == TOFU_CHAIN_NONE ? 0 : gate;
}

static uint32_t gates_of(const struct chain *chain)
{
	if (is_outer(chain))
		return 1;
	if (chain->outer != TOFU_CHAIN_NONE)
		return chain->steps + 2;
	return chain->steps ? chain->steps : 1;
}

/**
 * tofu_chain_gates() - return the number of gates that a member needs
 * @members: number of members, 1 to TOFU_CHAIN_MEMBERS_MAX
 * @member: number of the member, below @members
 *
 * Return: 1 to TOFU_CHAIN_GATES_MAX; 0 if an argument is invalid.
 */
uint32_t tofu_chain_gates(uint32_t members, uint32_t member)
{
	struct chain chain;

	if (!members || members > TOFU_CHAIN_MEMBERS_MAX || member >= members)
		return 0;
	chain = chain_of(members, member);
	return gates_of(&chain);
}

static void build_outer(const struct chain *chain, uint32_t inner, struct tofu_chain_gate *gate)
{
	gate->local_source = TOFU_CHAIN_NONE;
	gate->local_dest = TOFU_CHAIN_NONE;
	gate->remote_dest = (struct tofu_chain_peer){ .member = inner, .gate = 1 };
	gate->remote_source = (struct tofu_chain_peer){ .member = inner, .gate = chain->steps + 1 };
}

/**
 * tofu_chain_build() - compute the gates of a member
 * @members: number of members, 1 to TOFU_CHAIN_MEMBERS_MAX
 * @member: number of the member, below @members
 * @gates: [out] tofu_chain_gates() gates; the first one starts and ends operations
 *
 * Return: number of gates; 0 if an argument is invalid.
 */
uint32_t tofu_chain_build(uint32_t members, uint32_t member, struct tofu_chain_gate *gates)
{
	const struct tofu_chain_peer nobody = { .member = TOFU_CHAIN_NONE };
	uint32_t count = tofu_chain_gates(members, member), gate, step;
	struct chain chain;

	if (!count)
		return 0;
	chain = chain_of(members, member);
	if (is_outer(&chain)) {
		build_outer(&chain, member - (1u << chain.steps), gates);
		return count;
	}
	for (gate = 0; gate < count; gate++) {
		gates[gate].local_source = gate ? gate - 1 : count - 1;
		gates[gate].local_dest = gate + 1 < count ? gate + 1 : 0;
		gates[gate].remote_source = nobody;
		gates[gate].remote_dest = nobody;
	}
	for (step = 0; step < chain.steps; step++) {
		uint32_t partner = member ^ 1u << step;
		struct chain other = chain_of(members, partner);

		gates[sends_in(&chain, step)].remote_dest = (struct tofu_chain_peer){
			.member = partner, .gate = waits_after(&other, step) };
		gates[waits_after(&chain, step)].remote_source = (struct tofu_chain_peer){
			.member = partner, .gate = sends_in(&other, step) };
	}
	if (chain.outer != TOFU_CHAIN_NONE) {
		const struct tofu_chain_peer outer = { .member = chain.outer };

		gates[1].remote_source = outer;
		gates[count - 1].remote_dest = outer;
	}
	return count;
}

/**
 * tofu_chain_packets() - return the number of packets of an operation
 * @members: number of members, 1 to TOFU_CHAIN_MEMBERS_MAX
 *
 * Return: number of packets of all members; 0 if @members is invalid.
 */
uint32_t tofu_chain_packets(uint32_t members)
{
	struct chain chain;

	if (!tofu_chain_gates(members, 0))
		return 0;
	chain = chain_of(members, 0);
	return (chain.steps << chain.steps) + 2 * (members - (1u << chain.steps));
}
