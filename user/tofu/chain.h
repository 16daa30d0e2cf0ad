/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of barrier gates for any number of members (Ajima et al. (2009), figure 6).
 *
 * Let 2^k be the largest power of two that the members reach.  The first 2^k exchange with
 * one another in k steps: in step s each with the member whose number differs in bit s.  The
 * others, outer ones, hand their data to one of the first before that, and are handed the
 * result by it afterwards.
 *
 * A member's gates, in the order in which they fire:
 *
 *	start	fires with the member's call
 *	before	where there is an outer member: waits for it
 *	step	one for each step but the last: waits for the packet of the step's partner
 *	after	where there is an outer member: waits for the last step's, sends the outer one
 *		the result
 *
 * Each signals the next one, and the last one the start gate, which is the end gate, too.
 * Without an outer member the last step's packet comes to the end gate itself, so that k gates
 * send and receive k packets: four each for 16 members.  An outer member has its start gate
 * alone.  A single member has one that signals itself.
 */
#ifndef TORUS_USER_TOFU_CHAIN_H
#define TORUS_USER_TOFU_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#define TOFU_CHAIN_MEMBERS_MAX	(1u << 24)
#define TOFU_CHAIN_GATES_MAX	25u	/* of one member: k + 2, and k is 23 at most then */
#define TOFU_CHAIN_NONE		UINT32_MAX

/**
 * struct tofu_chain_peer - a gate of another member
 * @member: its number, TOFU_CHAIN_NONE: there is no such gate
 * @gate: which of its gates, 0 the one that starts and ends
 */
struct tofu_chain_peer {
	uint32_t member;
	uint32_t gate;
};

/**
 * struct tofu_chain_gate - what one of a member's gates waits for and where it sends
 * @local_source: which gate of the same member, TOFU_CHAIN_NONE: none
 * @local_dest: likewise
 * @remote_source: whose packet
 * @remote_dest: for whom
 */
struct tofu_chain_gate {
	uint32_t local_source;
	uint32_t local_dest;
	struct tofu_chain_peer remote_source;
	struct tofu_chain_peer remote_dest;
};

uint32_t tofu_chain_gates(uint32_t members, uint32_t member);
uint32_t tofu_chain_build(uint32_t members, uint32_t member, struct tofu_chain_gate *gates);
uint32_t tofu_chain_packets(uint32_t members);

#endif
