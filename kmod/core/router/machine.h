/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contract of a machine's router file. The file defines constants and types of the machine, maps
 * the contract's hook names to its own, and includes this file. Then it defines the hooks, and
 * includes loop.h and ops.h. Therefore the hot loop is compiled once per machine, with the
 * machine's hooks inlined: an indirect call is too expensive in a kernel with return thunks.
 *
 *	#define ROUTER_DIRS 6
 *	#define machine_route toy_route
 *
 * A missing constant or type is an #error with its name. A missing hook is a static function that
 * is used and not defined, which the compiler reports. README.md describes a hop, and the costs of
 * the options.
 *
 * A slot is a queue with one read port. Slot direction * ROUTER_VCS + VC has packets that arrived
 * in that direction of travel on that VC. The injection slots follow. An alternative is a
 * (direction, VC) with the same number; a mask has one bit per alternative.
 */
#ifndef TORUS_ROUTER_MACHINE_H
#define TORUS_ROUTER_MACHINE_H

/* ------------------------------------------------------------- constants, types */

#ifndef ROUTER_DIRS
#error "ROUTER_DIRS: directions of a node, two a dimension, at most 32"
#endif
#ifndef ROUTER_VCS
#error "ROUTER_VCS: virtual channels of a link; alternatives of a node are at most 64"
#endif
#ifndef ROUTER_INJECT
#error "ROUTER_INJECT: injection slots of a node; slots are at most 64"
#endif
#ifndef ROUTER_CHUNKS
#error "ROUTER_CHUNKS: the most chunks that a buffer, or an injection slot, holds"
#endif
#ifndef machine_params_t
#error "machine_params_t: type of the parameters, with struct torus_link_timing timing"
#endif
#ifndef machine_node_t
#error "machine_node_t: type of what the machine keeps in a node besides"
#endif
#ifndef machine_pass_t
#error "machine_pass_t: type of what is drawn once for an arbitration, with u32 random"
#endif
#ifndef machine_run
#error "machine_run: name of the function that runs a domain, for stack traces"
#endif

/*
 * Options: 1 enables an option. A disabled option has no declarations, takes no byte of a node and
 * no instruction; option_*.h describe the options.
 */
#ifndef ROUTER_STAGES
#define ROUTER_STAGES 1			/* 2: each output has a bank of queues (output_queues.h) */
#endif
#ifndef ROUTER_INJECT_PORT
#define ROUTER_INJECT_PORT 0		/* 1: all injection slots of a node share one read port */
#endif
#ifndef ROUTER_FREE_ON_START
#define ROUTER_FREE_ON_START 0		/* a packet frees its bank's space when it starts */
#endif
#ifndef ROUTER_TRUE_SIZE_CREDITS
#define ROUTER_TRUE_SIZE_CREDITS 0	/* a packet needs tokens for its true size only */
#endif
#ifndef ROUTER_WAYS
#define ROUTER_WAYS 0			/* bits of a code for a wanted mask; 0: no codes */
#endif
#ifndef ROUTER_BUBBLE
#define ROUTER_BUBBLE 0			/* entering a VC needs more space than continuing */
#endif
#ifndef ROUTER_RANGES
#define ROUTER_RANGES 0			/* token counts are also kept as two-bit ranges */
#endif
#ifndef ROUTER_BUSES
#define ROUTER_BUSES 0			/* limited transfer buses from a receiver */
#endif
#ifndef ROUTER_PRIORITY
#define ROUTER_PRIORITY 0		/* high-priority packets, with reserved buses */
#endif
#ifndef ROUTER_DEPOSIT
#define ROUTER_DEPOSIT 0		/* a packet may leave a copy at each node */
#endif
#ifndef ROUTER_BYPASS
#define ROUTER_BYPASS 0			/* packets may pass a node without buffering */
#endif
#ifndef ROUTER_GAP
#define ROUTER_GAP 0			/* an arbiter loses a cycle after all links were busy */
#endif
#ifndef ROUTER_CONTROL
#define ROUTER_CONTROL 0		/* control packets that occupy the links */
#endif
#ifndef ROUTER_UNBLOCKING
#define ROUTER_UNBLOCKING 0		/* count the token returns that unblock a packet */
#endif
#ifndef ROUTER_STRICT_INJECTION
#define ROUTER_STRICT_INJECTION 0	/* injection yields to packets of the network */
#endif
#ifndef ROUTER_ROUND_ROBIN
#define ROUTER_ROUND_ROBIN 0		/* store the last winner of each arbiter */
#endif
#ifndef ROUTER_ONE_ALTERNATIVE
#define ROUTER_ONE_ALTERNATIVE 0	/* a head has at most one alternative */
#endif
#ifndef ROUTER_KEYS_WITHOUT_COUNTS
#define ROUTER_KEYS_WITHOUT_COUNTS 0	/* machine_choose() and the keys do not read chunk counts */
#endif
#ifndef ROUTER_NO_RANDOM
#define ROUTER_NO_RANDOM 0		/* machine_choose() and the keys use no random numbers */
#endif
#ifndef ROUTER_TABLES
#define ROUTER_TABLES 0			/* machine_route() reads tables outside of the node */
#endif
#ifndef ROUTER_NIC_DELIVERY
#define ROUTER_NIC_DELIVERY 0		/* packets may go to the NIC, not only to FIFOs */
#endif
#ifndef ROUTER_PORTS
#define ROUTER_PORTS 0			/* number of reception ports, each for any receiver */
#endif
#ifndef ROUTER_ANY_DIMS
#define ROUTER_ANY_DIMS 0		/* fabrics may have fewer directions than ROUTER_DIRS */
#endif
#ifndef ROUTER_SURE_LINKS
#define ROUTER_SURE_LINKS 0		/* links make no errors and are never live */
#endif

#if ROUTER_DIRS < 1 || ROUTER_DIRS > 32
#error "ROUTER_DIRS: directions of a node, two a dimension, at most 32"
#endif
#if ROUTER_VCS < 1 || ROUTER_DIRS * ROUTER_VCS > 64
#error "ROUTER_VCS: virtual channels of a link; alternatives of a node are at most 64"
#endif
#if ROUTER_INJECT < 1 || ROUTER_DIRS * ROUTER_VCS + ROUTER_INJECT > 64
#error "ROUTER_INJECT: injection slots of a node; slots are at most 64"
#endif
#if ROUTER_CHUNKS < 1 || ROUTER_CHUNKS > 65535
#error "ROUTER_CHUNKS: the most chunks that a buffer, or an injection slot, holds"
#endif
#if ROUTER_STAGES < 1 || ROUTER_STAGES > 2
#error "ROUTER_STAGES: 1, or 2"
#endif
#if ROUTER_STAGES == 2 && (ROUTER_BUBBLE || ROUTER_RANGES || ROUTER_BUSES || ROUTER_PRIORITY || \
			   ROUTER_DEPOSIT || ROUTER_BYPASS || ROUTER_GAP || ROUTER_CONTROL || \
			   ROUTER_UNBLOCKING || ROUTER_STRICT_INJECTION || \
			   ROUTER_KEYS_WITHOUT_COUNTS)
#error "ROUTER_STAGES: two stages permit few options, see README.md"
#endif
#if ROUTER_PORTS && (ROUTER_STAGES == 2 || ROUTER_PRIORITY || ROUTER_DEPOSIT)
#error "ROUTER_PORTS: of one stage, without PRIORITY and DEPOSIT"
#endif
#if ROUTER_PORTS && ROUTER_PORTS < ROUTER_INJECT
#error "ROUTER_PORTS: as many as injection slots, ROUTER_INJECT"
#endif
#if ROUTER_ANY_DIMS && (ROUTER_STAGES == 2 || ROUTER_CONTROL)
#error "ROUTER_ANY_DIMS: of one stage, without CONTROL"
#endif
#if ROUTER_STAGES == 1 && (ROUTER_INJECT_PORT || ROUTER_FREE_ON_START || \
			   ROUTER_TRUE_SIZE_CREDITS || ROUTER_NO_RANDOM)
#error "INJECT_PORT, FREE_ON_START, TRUE_SIZE_CREDITS, NO_RANDOM: for a machine of two stages"
#endif

#include "core/state/census.h"
#include "core/state/domain.h"
#include "core/state/tni.h"
#include "core/link/link.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "core/workload/processor.h"
#include "core/nic/inject_queue.h"
#include "core/workload/workload.h"
#include "core/router/types.h"

#if ROUTER_PORTS > TORUS_TNIS_MAX
#error "ROUTER_PORTS: at most TORUS_TNIS_MAX"
#endif

struct router_node;

/* ------------------------------------------------------------------------ hooks */

/*
 * Route a packet that has become its slot's head. Return: ROUTER_WAY(want, on), ROUTER_HERE, or
 * ROUTER_DROP(reason).
 */
static struct router_way machine_route(struct torus_domain *d, const struct router_node *n,
				       u32 node, u32 slot, struct torus_packet *p);
/* First phase: select the alternative of @mask, not empty, that a head requests. */
static u32 machine_choose(const machine_params_t *m, const struct router_node *n,
			  router_mask_t mask, u32 random);
/* Draw the random numbers of an arbitration, at most once per node and tick: router_random(). */
static machine_pass_t machine_pass(const machine_params_t *m, struct router_node *n);
/*
 * Second phase: key of a slot's head among the heads of its receiver; the greatest key wins.
 *
 * @choice: the selected alternative; @random: differs between slots. The packet is router_packet(d,
 *   n, slot), the tick is d->now.
 */
static u32 machine_key_input(struct torus_domain *d, const machine_pass_t *pass,
			     const struct router_node *n, u32 slot, u32 choice, u32 random);
/* Change the header when the packet leaves the node in a direction. */
static void machine_depart(struct torus_domain *d, const struct router_node *n,
			   struct torus_packet *p, u32 dir);
/* Chunks that a packet occupies in a buffer of a VC. */
static u32 machine_tokens(const machine_params_t *m, const struct torus_packet *p, u32 vc);
/*
 * Classify the token count of a VC. Return: flags ROUTER_GO_ON, ROUTER_MAY_ENTER,
 * ROUTER_RANGE(0..3).
 */
static u32 machine_room(const machine_params_t *m, u32 vc, u32 tokens);
/* Capacity of a VC's buffer in chunks. */
static u32 machine_capacity(const machine_params_t *m, u32 vc);
/* Extra ticks of the cable in a direction, compared with the shortest cables. */
static u32 machine_far(const machine_params_t *m, const struct router_node *n, u32 dir);
/* Ticks that a packet occupies a link, overhead included. */
static u32 machine_wire_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Ticks that a packet's transfer from a receiver to the reception FIFO takes. */
static u32 machine_receive_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Payload bytes of a packet, for the utilization of links. */
static u32 machine_payload(const machine_params_t *m, const struct torus_packet *p);
/* Destination of a packet that arrived in a slot: a reception FIFO, or ROUTER_TO_MACHINE. */
static u32 machine_deliver(const struct torus_packet *p, u32 slot);
/* Injection slot, 0 .. ROUTER_INJECT - 1, that an injection FIFO feeds. */
static u32 machine_inject_slot(u32 queue);
/*
 * Prefetch the machine's data for an injection at a node. This hook and the next are inlined: gcc
 * removes a call of a function that only prefetches.
 */
torus_inline void machine_prefetch(const machine_params_t *m, u32 node);

#if ROUTER_TABLES
/*
 * Prefetch the data outside of the node that machine_route() will read first to route a packet. The
 * packet may be any memory of a packet, also of a free one.
 */
torus_inline void machine_prefetch_route(const machine_params_t *m, const struct router_node *n,
					 const struct torus_packet *p);
#endif
#if ROUTER_STAGES == 1
/*
 * Third phase: key of a slot's request among all requests for the same link; the greatest key wins.
 * @key: key of the slot in the second phase.
 */
static u32 machine_key_output(struct torus_domain *d, const machine_pass_t *pass,
			      const struct router_node *n, u32 slot, u32 dir, u32 key);
#endif
#if ROUTER_WAYS
/* Alternatives for a code that machine_route() returned. */
static router_mask_t machine_ways(const machine_params_t *m, const struct router_node *n,
				  router_want_t way);
#endif
#if ROUTER_BUSES
/* Number of transfer buses from a receiver to the senders, at least 1. */
static u32 machine_buses(const machine_params_t *m);
#endif
#if ROUTER_PRIORITY
/* Slots of high-priority packets. */
static router_slots_t machine_priority_slots(void);
/* Check whether a packet uses the priority reception FIFO, over its own bus. */
static bool machine_priority(const struct torus_packet *p);
#endif
#if ROUTER_PORTS
/* Reception port, 0 .. ROUTER_PORTS - 1, of a packet. */
static u32 machine_port(const struct torus_packet *p);
#endif
#if ROUTER_DEPOSIT
/* Check whether the packet leaves a copy at each node on its way. */
static bool machine_deposit(const struct torus_packet *p);
#endif
#if ROUTER_BYPASS
/*
 * Check whether a packet that arrived in a slot may use the bypass. @held: chunks that the packet
 * itself has added to the slot's fill count.
 */
static bool machine_bypass_open(const machine_params_t *m, const struct router_node *n,
				u32 node, u32 slot, u32 held);
/* Ticks that a packet needs to pass through a VC buffer, which the bypass saves; 0: none. */
static u32 machine_buffer_ticks(const machine_params_t *m);
#endif
#if ROUTER_GAP
/* Check whether an arbiter loses a cycle after all links were busy. */
static bool machine_gap(const machine_params_t *m);
#endif
#if ROUTER_CONTROL
/* Ticks of a control packet on a link; 0: charged to the data packets. */
static u32 machine_control_ticks(const machine_params_t *m);
#endif
#if ROUTER_UNBLOCKING
/* Check whether tokens that unblock a packet are counted. */
static bool machine_unblocking(const machine_params_t *m);
#endif
#if ROUTER_GAP || ROUTER_CONTROL || ROUTER_UNBLOCKING
/*
 * Array of rarely used data: ops.cold_bytes per node, node 0 first, initially 0. NULL if GAP,
 * CONTROL and UNBLOCKING are all disabled.
 */
static void *machine_cold(const machine_params_t *m);
#endif
#if ROUTER_STRICT_INJECTION
/* Check whether injection yields to packets of the network. */
static bool machine_strict_injection(const machine_params_t *m);
#endif
#if ROUTER_NIC_DELIVERY
/*
 * Check whether the machine accepts the packet now. If not, @drop: a reason, or TORUS_DROP_MAX if
 * the packet waits.
 */
static bool machine_admit(struct torus_domain *d, u32 node, const struct torus_packet *p,
			  u32 *drop);
/*
 * Receive a complete packet in the machine. The machine frees or resends the packet. At the
 * packet's final destination it calls torus_completion_delivered().
 */
static void machine_take(struct torus_domain *d, u32 node, u32 pkt);
/*
 * Fill injection slots that have space with packets of the machine's own NIC, before other sources.
 */
static void machine_refill(struct torus_domain *d, u32 node);
#endif
#if ROUTER_STAGES == 2
/*
 * Queue of a bank for packets from an input (direction, or injection) to a VC; ROUTER_NO_QUEUE if
 * the output accepts no packets from that input.
 */
static u32 machine_stage_queue(u32 output, u32 input, u32 vc);
/* VC on which packets of a bank's queue leave. */
static u32 machine_stage_vc(u32 output, u32 queue);
/* Capacity of a bank's queue in chunks. */
static u32 machine_stage_capacity(const machine_params_t *m, u32 output, u32 queue);
/* Ticks in which a packet moves to its bank; the slot's read port is busy for as long. */
static u32 machine_stage_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Ticks until the packet's header is in the bank. */
static u32 machine_stage_latency(const machine_params_t *m);
/* Key of head packet @p of an output's queue. The queue of the bank with the greatest key wins. */
static u32 machine_key_stage(struct torus_domain *d, const machine_pass_t *pass,
			     const struct router_node *n, u32 output, u32 queue,
			     const struct torus_packet *p);
#endif

#include "core/router/node.h"

#endif /* TORUS_ROUTER_MACHINE_H */
