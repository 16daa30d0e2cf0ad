/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract of a machine's router file.  It says what the machine is in constants
 * and types, gives its hooks under the contract's names, includes this file, defines
 * the hooks under its own names, and includes loop.h and ops.h: so the hot loop is
 * compiled once a machine with its operations inlined (an indirect call costs too much
 * in a kernel with return thunks).
 *
 *	#define ROUTER_DIRS	6
 *	#define machine_route	toy_route
 *	#include "core/router/machine.h"
 *	torus_inline struct router_way toy_route(...) { ... }
 *	#include "core/router/loop.h"
 *	#include "core/router/ops.h"
 *
 * A constant or type that is left out is an #error by its name, a hook a static
 * function that is used and not defined, which the compiler names.  README.md tells
 * how a hop goes and what the options cost.
 *
 * A slot is a queue with one read port: slot direction * ROUTER_VCS + VC holds what
 * arrived travelling in that direction on that VC; behind those are the injection slots.
 * An alternative is a (direction, VC) with the same number; a mask has a bit for each.
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
 * Options: 1 where the machine has them.  One that it has not declares nothing, takes
 * no byte of a node and no instruction; option_*.h tell what each is.
 */
#ifndef ROUTER_STAGES
#define ROUTER_STAGES 1			/* 2: output_queues.h, a bank of queues per output */
#endif
#ifndef ROUTER_INJECT_PORT
#define ROUTER_INJECT_PORT 0		/* injection slots share a read port, as a receiver's do */
#endif
#ifndef ROUTER_FREE_ON_START
#define ROUTER_FREE_ON_START 0		/* a packet that starts to leave a bank frees its space */
#endif
#ifndef ROUTER_TRUE_SIZE_CREDITS
#define ROUTER_TRUE_SIZE_CREDITS 0	/* a packet needs a link's tokens for itself, no more */
#endif
#ifndef ROUTER_WAYS
#define ROUTER_WAYS 0			/* 8, 16: bits of a number that stands for a mask */
#endif
#ifndef ROUTER_BUBBLE
#define ROUTER_BUBBLE 0			/* entering a VC needs more space than continuing */
#endif
#ifndef ROUTER_RANGES
#define ROUTER_RANGES 0			/* two-bit ranges of tokens */
#endif
#ifndef ROUTER_BUSES
#define ROUTER_BUSES 0			/* few transfer buses from a receiver to the senders */
#endif
#ifndef ROUTER_PRIORITY
#define ROUTER_PRIORITY 0		/* packets of high priority, with buses kept for them */
#endif
#ifndef ROUTER_DEPOSIT
#define ROUTER_DEPOSIT 0		/* a copy of a packet stays while it goes on */
#endif
#ifndef ROUTER_BYPASS
#define ROUTER_BYPASS 0			/* packets may flow through without entering a buffer */
#endif
#ifndef ROUTER_GAP
#define ROUTER_GAP 0			/* an arbiter misses a cycle after all was busy */
#endif
#ifndef ROUTER_CONTROL
#define ROUTER_CONTROL 0		/* control packets that occupy the links */
#endif
#ifndef ROUTER_UNBLOCKING
#define ROUTER_UNBLOCKING 0		/* tokens that free a blocked packet are counted */
#endif
#ifndef ROUTER_STRICT_INJECTION
#define ROUTER_STRICT_INJECTION 0	/* injection leaves alone what the network wants */
#endif
#ifndef ROUTER_ROUND_ROBIN
#define ROUTER_ROUND_ROBIN 0		/* the last winner of each arbiter is remembered */
#endif
#ifndef ROUTER_ONE_ALTERNATIVE
#define ROUTER_ONE_ALTERNATIVE 0	/* a head wants one alternative at most */
#endif
#ifndef ROUTER_KEYS_WITHOUT_COUNTS
#define ROUTER_KEYS_WITHOUT_COUNTS 0	/* choices and keys do not read counts of chunks */
#endif
#ifndef ROUTER_NIC_DELIVERY
#define ROUTER_NIC_DELIVERY 0		/* packets may go to more than reception FIFOs */
#endif
#ifndef ROUTER_PORTS
#define ROUTER_PORTS 0			/* so many reception ports, each for any receiver */
#endif
#ifndef ROUTER_ANY_DIMS
#define ROUTER_ANY_DIMS 0		/* fabrics may have fewer directions than ROUTER_DIRS */
#endif
#ifndef ROUTER_SURE_LINKS
#define ROUTER_SURE_LINKS 0		/* links make no errors: none is ever live */
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
			   ROUTER_UNBLOCKING || ROUTER_STRICT_INJECTION || ROUTER_WAYS || \
			   ROUTER_ONE_ALTERNATIVE || ROUTER_KEYS_WITHOUT_COUNTS)
#error "ROUTER_STAGES: of the options, two stages permit ROUND_ROBIN and NIC_DELIVERY only"
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
#if ROUTER_STAGES == 1 && (ROUTER_INJECT_PORT || ROUTER_FREE_ON_START || ROUTER_TRUE_SIZE_CREDITS)
#error "INJECT_PORT, FREE_ON_START, TRUE_SIZE_CREDITS: for a machine of two stages"
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
 * The packet has become its slot's head; what leads from there on: ROUTER_WAY(want, on),
 * ROUTER_HERE, ROUTER_DROP(reason).
 */
static struct router_way machine_route(struct torus_domain *d, const struct router_node *n,
				       u32 node, u32 slot, struct torus_packet *p);
/* First phase: the alternative of @mask, not empty, that a head asks for. */
static u32 machine_choose(const machine_params_t *m, const struct router_node *n,
			  router_mask_t mask, u32 random);
/* Draws for one arbitration, once a node and tick; router_random() for a number. */
static machine_pass_t machine_pass(const machine_params_t *m, struct router_node *n);
/*
 * Second phase: standing of a slot's head among those of its receiver; the greatest wins.
 * @choice is the alternative, @random differs from slot to slot; the packet is
 * router_packet(d, n, slot), the tick d->now.
 */
static u32 machine_key_input(struct torus_domain *d, const machine_pass_t *pass,
			     const struct router_node *n, u32 slot, u32 choice, u32 random);
/* What leaving the node in a direction does to the header. */
static void machine_depart(struct torus_domain *d, const struct router_node *n,
			   struct torus_packet *p, u32 dir);
/* Chunks that a packet takes in a buffer of a VC. */
static u32 machine_tokens(const machine_params_t *m, const struct torus_packet *p, u32 vc);
/* What a count of tokens says: ROUTER_GO_ON, ROUTER_MAY_ENTER, ROUTER_RANGE(0..3). */
static u32 machine_room(const machine_params_t *m, u32 vc, u32 tokens);
/* Chunks of a VC's buffer. */
static u32 machine_capacity(const machine_params_t *m, u32 vc);
/* Ticks that the cable in a direction is longer than others. */
static u32 machine_far(const machine_params_t *m, const struct router_node *n, u32 dir);
/* Ticks on a link, overhead included. */
static u32 machine_wire_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Ticks from a receiver to its reception FIFO. */
static u32 machine_receive_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Bytes of payload, for the utilisation that counts. */
static u32 machine_payload(const machine_params_t *m, const struct torus_packet *p);
/* Where a packet that arrived in a slot goes: a reception FIFO, or ROUTER_TO_MACHINE. */
static u32 machine_deliver(const struct torus_packet *p, u32 slot);
/* The injection slot, 0.. ROUTER_INJECT - 1, that an injection FIFO leads to. */
static u32 machine_inject_slot(u32 queue);
/* Fetch ahead what an injection at a node reads of the machine's own. */
static void machine_prefetch(const machine_params_t *m, u32 node);

#if ROUTER_STAGES == 1
/* Third phase: standing among the requests for a link; @key is that of the second. */
static u32 machine_key_output(struct torus_domain *d, const machine_pass_t *pass,
			      const struct router_node *n, u32 slot, u32 dir, u32 key);
#endif
#if ROUTER_WAYS
/* The alternatives that a number of machine_route() stands for. */
static router_mask_t machine_ways(const machine_params_t *m, const struct router_node *n,
				  router_want_t way);
#endif
#if ROUTER_BUSES
/* Transfer buses from a receiver to the senders, 1.. */
static u32 machine_buses(const machine_params_t *m);
#endif
#if ROUTER_PRIORITY
/* The slots of packets of high priority. */
static router_slots_t machine_priority_slots(void);
/* Does a packet go to the priority reception FIFO, over a bus of its own? */
static bool machine_priority(const struct torus_packet *p);
#endif
#if ROUTER_PORTS
/* The reception port, 0.. ROUTER_PORTS - 1, that a packet goes through. */
static u32 machine_port(const struct torus_packet *p);
#endif
#if ROUTER_DEPOSIT
/* Does a copy of the packet stay at each node on its way? */
static bool machine_deposit(const struct torus_packet *p);
#endif
#if ROUTER_BYPASS
/* Is the bypass open for what came to a slot, and is counted as @held chunks of it? */
static bool machine_bypass_open(const machine_params_t *m, const struct router_node *n,
				u32 node, u32 slot, u32 held);
/* Ticks through a buffer, which the bypass saves; 0: none. */
static u32 machine_buffer_ticks(const machine_params_t *m);
#endif
#if ROUTER_GAP
/* Does an arbiter miss a cycle? */
static bool machine_gap(const machine_params_t *m);
#endif
#if ROUTER_CONTROL
/* Ticks of a control packet on a link; 0: they are charged to the packets. */
static u32 machine_control_ticks(const machine_params_t *m);
#endif
#if ROUTER_UNBLOCKING
/* Are tokens that free a blocked packet counted? */
static bool machine_unblocking(const machine_params_t *m);
#endif
#if ROUTER_GAP || ROUTER_CONTROL || ROUTER_UNBLOCKING
/* ops.cold_bytes a node, node 0 first, 0 at rest; NULL where none of the three is on. */
static void *machine_cold(const machine_params_t *m);
#endif
#if ROUTER_STRICT_INJECTION
/* Does injection leave alone what the network wants? */
static bool machine_strict_injection(const machine_params_t *m);
#endif
#if ROUTER_NIC_DELIVERY
/* May the machine take the packet now?  If not, @drop: a reason, TORUS_DROP_MAX: it waits. */
static bool machine_admit(struct torus_domain *d, u32 node, const struct torus_packet *p,
			  u32 *drop);
/*
 * The packet's last byte has come: it is the machine's, which frees or sends it again, and says
 * torus_completion_delivered() of one that is where it was sent.
 */
static void machine_take(struct torus_domain *d, u32 node, u32 pkt);
/* Injection slots have room: what the machine's own NIC sends goes first, as far as it fits. */
static void machine_refill(struct torus_domain *d, u32 node);
#endif
#if ROUTER_STAGES == 2
/*
 * Queue of a bank for what comes from an input (direction, or injection) on to a VC;
 * ROUTER_NO_QUEUE where the output takes nothing from that input.
 */
static u32 machine_stage_queue(u32 output, u32 input, u32 vc);
/* The VC on which what waits in a queue of a bank leaves. */
static u32 machine_stage_vc(u32 output, u32 queue);
/* Chunks of a queue of a bank. */
static u32 machine_stage_capacity(const machine_params_t *m, u32 output, u32 queue);
/* Ticks that a packet takes to its bank, which are those of the slot's read port. */
static u32 machine_stage_ticks(const machine_params_t *m, const struct torus_packet *p);
/* Ticks until its header is in the bank. */
static u32 machine_stage_latency(const machine_params_t *m);
/* Standing of a queue's head, @p, among those of its bank; the greatest wins. */
static u32 machine_key_stage(struct torus_domain *d, const machine_pass_t *pass,
			     const struct router_node *n, u32 output, u32 queue,
			     const struct torus_packet *p);
#endif

#include "core/router/node.h"

#endif /* TORUS_ROUTER_MACHINE_H */
