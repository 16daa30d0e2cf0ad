/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of barrier gates for any number of members (Ajima et al. (2009), figure 6).
 *
 * Let 2^k be the largest power of two up to the number of members. The first 2^k members
 * exchange packets in k steps: in step s, each member with the member whose number differs in
 * bit s. The other members are outer members. Each outer member sends its data to one of the
 * first members before step 0, and receives the result from this member after the last step.
 *
 * Gates of a member, in the order in which they fire:
 *
 *	start	fires when the member enters the operation
 *	before	only with an outer member: waits for its packet
 *	step	one gate per step except the last: waits for the packet of the step's partner
 *	after	only with an outer member: waits for the packet of the last step, and sends the
 *		result to the outer member
 *
 * Each gate signals the next gate. The last one signals the start gate, which also ends the
 * operation. Without an outer member, the start gate receives the packet of the last step. So k
 * gates send and receive k packets: four each for 16 members. An outer member has only a start
 * gate. In a chain with one member, its only gate signals itself.
 */
#ifndef TORUS_USER_TOFU_CHAIN_H
#define TORUS_USER_TOFU_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#define TOFU_CHAIN_MEMBERS_MAX	(1u << 24)
#define TOFU_CHAIN_GATES_MAX	25u	/* k + 2, k <= 23 with an outer member */
#define TOFU_CHAIN_NONE		UINT32_MAX

/**
 * struct tofu_chain_peer - a gate of another member
 * @member: number of the member; TOFU_CHAIN_NONE: no gate
 * @gate: index of its gate; gate 0 starts and ends operations
 */
struct tofu_chain_peer {
	uint32_t member;
	uint32_t gate;
};

/**
 * struct tofu_chain_gate - the signals that a gate waits for and the signals that it sends
 * @local_source: gate of the same member that signals this gate, or TOFU_CHAIN_NONE
 * @local_dest: gate of the same member that this gate signals, or TOFU_CHAIN_NONE
 * @remote_source: gate whose packet this gate waits for
 * @remote_dest: gate that this gate sends a packet to
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
