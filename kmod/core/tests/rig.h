/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the core and of machines share: fabrics from a line of
 * text, packets placed by hand, a trace of what happens, clients made of arrays.
 */
#ifndef TORUS_CORE_TESTS_RIG_H
#define TORUS_CORE_TESTS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/census.h"
#include "core/state/domain.h"
#include "core/run/fabric.h"
#include "core/link/link.h"
#include "core/base/random.h"
#include "core/tests/says.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* TORUS_SOAK=1: do more */
bool rig_soak(void);

/* The configuration of one, as rig_make_arch() makes it of the same words. */
void rig_config(struct torus_config *cfg, const char *arch, const char *shape,
		const char *settings);

/**
 * rig_make_arch() - a fabric
 * @arch: the machine
 * @shape: "4x4x4", meshes told by an m behind the length: "4x5mx1"
 * @settings: "KEY=VALUE ..", seed and domains too
 *
 * Return: the fabric; a test that cannot have it has failed.
 */
struct torus_fabric *rig_make_arch(const char *arch, const char *shape, const char *settings);

u32 rig_node(struct torus_fabric *f, u32 x, u32 y, u32 z);

/* Every packet and token accounted for, every bubble ring with room. */
void rig_count(struct torus_fabric *f);

/* The same, and nothing under way: links free, resend FIFOs and pools empty. */
void rig_empty(struct torus_fabric *f);

/* Until nothing is left to happen. */
void rig_drain(struct torus_fabric *f);

u32 rig_reg(struct torus_fabric *f, u32 node, const char *name);
void rig_reg_set(struct torus_fabric *f, u32 node, const char *name, u32 value);

/* ---------------------------------------------------------------- packets */

/* A packet as the hardware would send it. */
struct torus_packet rig_packet(struct torus_fabric *f, u32 src, u32 dst, u32 chunks);

/* Into injection FIFO @fifo of its source, to be arbitrated at the clock's tick. */
void rig_inject(struct torus_fabric *f, u32 fifo, const struct torus_packet *packet);

/* Into the buffer of (@dir, @vc) at @node. */
void rig_place(struct torus_fabric *f, u32 node, u32 dir, u32 vc,
	       const struct torus_packet *packet);

/* ------------------------------------------------------------------ trace */

struct rig_step {
	u64 at;
	u64 born;
	u32 what;
	u32 node;
	u32 dir;
	u32 vc;
	u32 src;
	u32 dst;
	u32 seq;
	u16 hops;
	u8 chunks;
	u8 flags;
	u8 header[TORUS_HEADER_MAX];
};

/* Watches a fabric; kinds of events are told by a mask of 1 << enum torus_watch. */
struct rig_trace {
	struct torus_watcher watcher;
	u32 kinds;
	u32 n;
	u32 room;
	struct rig_step *step;
};

/* One domain only: the trace has no lock. */
void rig_watch(struct torus_fabric *f, struct rig_trace *trace, u32 kinds);
void rig_trace_free(struct rig_trace *trace);

/* The @i-th step of a kind at a node (TORUS_NONE: any), NULL if there is none. */
const struct rig_step *rig_find(const struct rig_trace *trace, u32 what, u32 node, u32 i);
u32 rig_times(const struct rig_trace *trace, u32 what, u32 node);

/* ----------------------------------------------------------- faults, traffic */

void rig_fault(struct torus_fabric *f, const struct torus_fault *fault);
struct torus_link_counters rig_link(struct torus_fabric *f, u32 node, u32 dir);
struct torus_link_view rig_view(struct torus_fabric *f, u32 node, u32 dir);

/* Start a workload; a test whose fabric refuses it has failed. */
void rig_start(struct torus_fabric *f, const struct torus_traffic *t);

/* Load in percent of the peak, sizes in bytes. */
void rig_load(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles);
void rig_packets(struct torus_fabric *f, u64 packets, u32 min, u32 max);

/* One step of a workload with so many threads. */
bool rig_step(struct torus_fabric *f, u64 budget, u32 threads);

/* To the end of the workload. */
struct torus_result rig_finish(struct torus_fabric *f, u64 budget, u32 threads);
/* The delivery hash of a load on a fabric that it ends; packets and tokens are accounted for. */
u64 rig_hash(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles, u32 threads);

/* ---------------------------------------------------------------- clients */

#define RIG_RING	4096	/* packets that a client can log or queue */
#define RIG_NUMBER	1000	/* a client calls its packets by this and their place in @out */

struct rig_message {
	u8 bytes[256];
	u8 chunks;
	u8 fifo;
	bool refused;
	u32 code;
	u64 at;
};

/**
 * struct rig_client - a client made of arrays
 * @out: packets to be injected, in order
 * @pulled: how many the core has taken
 * @outs: how many there are
 * @in: received packets
 * @ins: how many
 * @room: receptions that are still wanted
 * @loss: what it was told of packets that did not arrive
 * @losses: how many
 * @completed: packets that it was told have ended
 */
struct rig_client {
	struct torus_fabric *f;
	u32 node;
	u32 group;
	u32 generation;
	struct rig_message *out;
	u32 outs, pulled;
	struct rig_message *in;
	u32 ins;
	u32 room;
	u32 notified;
	u32 interrupts;
	u32 refusals;
	u32 accepts;
	struct torus_loss *loss;
	u32 losses;
	u64 completed;
};

void rig_attach(struct rig_client *c, struct torus_fabric *f, u32 node, u32 group,
		bool priority);
void rig_detach(struct rig_client *c);

/* Detached, its arrays gone. */
void rig_client_free(struct rig_client *c);

/* A header's bytes and a payload made from @mark behind it. */
void rig_bytes(u8 *bytes, const u8 *header, u32 chunks, u32 mark);

/* What rig_bytes() put behind the header: its mark, or ~0 if a byte is wrong. */
u32 rig_mark(const u8 *bytes, u32 chunks);

/* Run the fabric and poll its clients until neither has anything to do. */
void rig_settle(struct torus_fabric *f);

#endif
