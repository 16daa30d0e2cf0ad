/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Tofu machine (Ajima et al. (2009)): constants, parameters, and data of the hot loop.
 *
 * A tick is the time of four bytes at 5 GB/s ("10 gigabytes per second of fully bidirectional
 * bandwidth"). So a chunk takes eight ticks, and the longest packet does not exceed the wheel.
 *
 * "The minimum packet length is 32 bytes and the maximum is 2,048 bytes, including the header and
 * cyclic redundancy check": on a link, a packet takes no bytes in addition to these.
 */
#ifndef TORUS_ARCH_TOFU_H
#define TORUS_ARCH_TOFU_H

#include "arch/tofu/route.h"
#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"

#define TOFU_CHUNK_BYTES	32
#define TOFU_CHUNK_TICKS	8
#define TOFU_PACKET_CHUNKS	64
#define TOFU_PACKET_BYTES	(TOFU_PACKET_CHUNKS * TOFU_CHUNK_BYTES)
/* capacity of a modelled FIFO: the longest packet */
#define TOFU_FIFO_CHUNKS	64
#define TOFU_BUFFER_BYTES	8192	/* "four 8-Kbyte receive buffers" */
#define TOFU_RESEND_BYTES	8192	/* "and an 8-Kbyte retransmission buffer" */
#define TOFU_BUFFER_BYTES_MAX	65536
#define TOFU_CRC_BYTES		4
#define TOFU_LENGTH_MAX		256	/* max. groups along x, y or z: eight bits in the header */
#define TOFU_NODES_MAX		(1u << 20)

enum tofu_param {
	TOFU_P_PATH = TORUS_P_MACHINE,
	TOFU_P_TNIS,
	TOFU_P_VC_BYTES,
	TOFU_P_RESEND_BYTES,
	TOFU_P_LATENCY,
	TOFU_P_CREDIT_DELAY,
	TOFU_P_TIMEOUT,
	TOFU_P_RETRIES,
	TOFU_P_GATE_DELAY,
	TOFU_P_IO_ORDER,
	TOFU_P_ENGINE_DELAY,
	TOFU_P_MEMORY_DELAY,
	TOFU_P_END,
};

#define TOFU_PARAMS	(TOFU_P_END - TORUS_P_MACHINE)

struct tofu_barrier;
struct tofu_engines;

/* Values of parameter `tnis`. */
enum { TOFU_FOUR_TNIS, TOFU_SIX_TNIS };

/* Values of parameter `io_order`. */
enum { TOFU_IO_LAST, TOFU_IO_FIRST };

/**
 * struct tofu_fields - Tofu's use of torus_packet.header
 *
 * @group: x, y, z of the destination's group
 * @slot: number of the destination in its group
 * @path: number of the relay in the source's group
 * @order: enum tofu_order
 * @fifo: reception FIFO, or TORUS_TOFU_FIFO_GATE
 * @spare: unused
 * @sw: 16 bits for software; in an engine's or a barrier packet, the engine at the destination
 */
struct tofu_fields {
	u8 group[TOFU_GROUP_AXES];
	u8 slot;
	u8 path;
	u8 order;
	u8 fifo;
	u8 spare;
	u16 sw;
};

_Static_assert(sizeof(struct tofu_fields) <= TORUS_HEADER_MAX, "fields of a packet");

/**
 * struct tofu_machine - parameters in the form that the hot loop uses
 *
 * @timing: timing of every link
 * @geo: shape of the fabric
 * @buffer: size of a VC's buffer in chunks
 * @policy: enum tofu_policy, for packets that name no path
 * @tnis: engines per node
 * @exchanged: I/O nodes route z first and other nodes z last, the opposite of the paper
 * @gate_delay: ticks from the event that fires a barrier gate until its packet may leave
 * @barrier: barrier channels; NULL: gates were never requested
 * @engine_delay: ticks from a command until its first packet may leave
 * @memory_delay: ticks from a packet's last byte until its data is in memory
 * @engines: engines of all nodes; NULL: no program has attached
 */
struct tofu_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	u32 buffer;
	u32 policy;
	u32 tnis;
	bool exchanged;
	u32 gate_delay;
	struct tofu_barrier *barrier;
	u32 engine_delay;
	u32 memory_delay;
	struct tofu_engines *engines;
};

/* Interface of the two compilations of routing.h, for four and for six engines. */
struct tofu_router {
	struct torus_router_ops ops;
	void (*node_reset)(struct torus_fabric *f, u32 node);
};

/*
 * Return the order in which packets of a node at @coords move in x, y and z: see
 * tofu_order_of().
 */
torus_inline u8 tofu_order_at(const struct tofu_machine *m, const u32 *coords)
{
	return (u8)(tofu_order_of(coords) ^ m->exchanged);
}

torus_inline struct tofu_fields *tofu_fields(struct torus_packet *p)
{
	return (struct tofu_fields *)p->header;
}

/* Return the TNI that an engine's or a gate's packet is addressed to. */
torus_inline u32 tofu_engine_of(const struct torus_packet *p)
{
	return ((const struct tofu_fields *)p->header)->sw & ((1u << TORUS_TOFU_KIND_SHIFT) - 1);
}

extern const struct tofu_router tofu_router_4tni;
extern const struct tofu_router tofu_router_6tni;

#endif
