/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers shared by the tests of the core and of machines: fabrics from a line of text, packets
 * that a test places into buffers, traces of events, and clients whose packets are arrays.
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

/* Return true if TORUS_SOAK=1 is set: run longer tests. */
bool rig_soak(void);

/* Make the configuration that rig_make_arch() uses for the same arguments. */
void rig_config(struct torus_config *cfg, const char *arch, const char *shape,
		const char *settings);

/**
 * rig_make_arch() - create a fabric
 * @arch: name of the machine
 * @shape: lengths of the dimensions; an m after a length makes a mesh: "4x5mx1"
 * @settings: "KEY=VALUE ..", including seed and domains
 *
 * Return: the fabric. If it cannot be created, the calling test fails.
 */
struct torus_fabric *rig_make_arch(const char *arch, const char *shape, const char *settings);

u32 rig_node(struct torus_fabric *f, u32 x, u32 y, u32 z);

/* Check that all packets and tokens are accounted for, and that each bubble ring has a bubble. */
void rig_count(struct torus_fabric *f);

/*
 * Run rig_count(), and check that the network is empty: links are idle, resend FIFOs and pools are
 * empty.
 */
void rig_empty(struct torus_fabric *f);

/* Run until no event is pending. */
void rig_drain(struct torus_fabric *f);

u32 rig_reg(struct torus_fabric *f, u32 node, const char *name);
void rig_reg_set(struct torus_fabric *f, u32 node, const char *name, u32 value);

/* ---------------------------------------------------------------- packets */

/* Make a packet with the header that the machine would send. */
struct torus_packet rig_packet(struct torus_fabric *f, u32 src, u32 dst, u32 chunks);

/* Put a packet into injection FIFO @fifo of its source. It is arbitrated at the current tick. */
void rig_inject(struct torus_fabric *f, u32 fifo, const struct torus_packet *packet);

/* Place a packet into buffer (@dir, @vc) of @node. */
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

/* A trace of a fabric's events; @kinds: mask of 1 << enum torus_trace_event. */
struct rig_trace {
	struct torus_tracer tracer;
	u32 kinds;
	u32 n;
	u32 cap;
	struct rig_step *step;
};

/* Record events of a fabric with one domain only: the trace has no lock. */
void rig_trace_start(struct torus_fabric *f, struct rig_trace *trace, u32 kinds);
void rig_trace_free(struct rig_trace *trace);

/*
 * Find the @i-th step of kind @what in a trace, at a node or, with TORUS_NONE, at any node. Return:
 * NULL if there is no such step.
 */
const struct rig_step *rig_find(const struct rig_trace *trace, u32 what, u32 node, u32 i);
u32 rig_times(const struct rig_trace *trace, u32 what, u32 node);

/* ----------------------------------------------------------- faults, traffic */

void rig_fault(struct torus_fabric *f, const struct torus_fault *fault);
struct torus_link_counters rig_link(struct torus_fabric *f, u32 node, u32 dir);
struct torus_link_view rig_view(struct torus_fabric *f, u32 node, u32 dir);

/* Start a workload. If the fabric rejects it, the calling test fails. */
void rig_start(struct torus_fabric *f, const struct torus_traffic *t);

/* Start a workload: @percent of the peak, sizes in bytes. */
void rig_load(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles);
void rig_packets(struct torus_fabric *f, u64 packets, u32 min, u32 max);

/* Run one step of a workload with @threads threads. */
bool rig_step(struct torus_fabric *f, u64 budget, u32 threads);

/* Run to the end of the workload. */
struct torus_result rig_finish(struct torus_fabric *f, u64 budget, u32 threads);
/*
 * Run a load, check that packets and tokens are conserved, and destroy the fabric. Return: the
 * delivery hash.
 */
u64 rig_hash(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles, u32 threads);

/* ---------------------------------------------------------------- clients */

#define RIG_RING	4096	/* entries of each array of a client */
#define RIG_NUMBER	1000	/* number that a client gives to its first packet */

struct rig_message {
	u8 bytes[256];
	u8 chunks;
	u8 fifo;
	bool refused;
	u32 code;
	u64 at;
};

/**
 * struct rig_client - a client whose packets are arrays
 * @out: packets to be injected, in order
 * @pulled: number of packets that the core has pulled
 * @outs: number of packets in @out
 * @in: received packets
 * @ins: number of packets in @in
 * @loss: notices of packets that did not arrive
 * @losses: number of notices in @loss
 * @completed: number of packets that were reported as completed
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
	u32 credits;	/* number of packets that the client will still accept */
	u32 notified;
	u32 interrupts;
	u32 refusals;
	u32 accepts;
	struct torus_lost_packet *loss;
	u32 losses;
	u64 completed;
};

void rig_attach(struct rig_client *c, struct torus_fabric *f, u32 node, u32 group,
		bool priority);
void rig_detach(struct rig_client *c);

/* Detach a client and free its arrays. */
void rig_client_free(struct rig_client *c);

/* Write a packet: the header, and a payload derived from @mark. */
void rig_bytes(u8 *bytes, const u8 *header, u32 chunks, u32 mark);

/* Check a payload of rig_bytes(). Return: its mark, or ~0 if a byte is wrong. */
u32 rig_mark(const u8 *bytes, u32 chunks);

/*
 * Run the fabric and poll its clients until no event is pending and no client has packets to
 * exchange.
 */
void rig_settle(struct torus_fabric *f);

#endif
