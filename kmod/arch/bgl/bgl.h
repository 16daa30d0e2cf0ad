/* SPDX-License-Identifier: GPL-2.0 */
/* Blue Gene/L: what its files share. */
#ifndef TORUS_ARCH_BGL_H
#define TORUS_ARCH_BGL_H

#include "core/arch.h"
#include "core/domain.h"
#include "core/link.h"
#include "core/packet.h"
#include "header.h"
#include "hints.h"

#define BGL_DIRS		6
#define BGL_VCS			4
#define BGL_GROUPS		2
#define BGL_CHUNK_BYTES		32
#define BGL_PACKET_CHUNKS	8
#define BGL_FIFO_CHUNKS		32
/* CRC-24, valid byte, acknowledgement, gap: 4 + 8 + 2 (paper, Alltoall: 270 = 256 + 4 + 8 + 2) */
#define BGL_OVERHEAD_TICKS	14
#define BGL_TICK_FS		5714286		/* a byte at 175 MB/s */

/* Indices of the parameters, in the order of bgl_params[]. */
enum bgl_param {
	BGL_P_ROUTING,
	BGL_P_HINTS,
	BGL_P_BUBBLE,
	BGL_P_CRC,
	BGL_P_BER,
	BGL_P_RX_STALL,
	BGL_P_NO_LISTENER,
	BGL_P_INJECTION,
	BGL_P_JSQ,
	BGL_P_SLQ_FRACTION,
	BGL_P_IN_NETWORK_FRACTION,
	BGL_P_STRICT_INJECTION,
	BGL_P_BUSES,
	BGL_P_DYNAMIC_VCS,
	BGL_P_VC_BYTES,
	BGL_P_LATENCY,
	BGL_P_ACK_DELAY,
	BGL_P_TIMEOUT,
	BGL_P_RETRIES,
	BGL_P_HOP_LIMIT,
	BGL_P_INJECT_PACKET,
	BGL_P_INJECT_CHUNK,
	BGL_P_RECEIVE_PACKET,
	BGL_P_RECEIVE_CHUNK,
	BGL_PARAMS,
};

enum { BGL_ROUTING_DYNAMIC, BGL_ROUTING_DETERMINISTIC };
enum { BGL_HINTS_AUTHENTIC, BGL_HINTS_MINIMAL };
enum { BGL_BUBBLE_FULL, BGL_BUBBLE_PLAIN, BGL_BUBBLE_ONE };

/* Fields of torus_packet.header, as the machine keeps them. */
struct bgl_fields {
	u8 hints;
	u8 vc;
	u8 dynamic;
	u8 pid;
	u8 dest[3];
	u8 csum_skip;
	u8 sk;
	u8 sw;
	u8 dp;
	u8 spare;
};

torus_inline struct bgl_fields *bgl_fields(struct torus_packet *p)
{
	return (struct bgl_fields *)p->header;
}

torus_inline const struct bgl_fields *bgl_fields_const(const struct torus_packet *p)
{
	return (const struct bgl_fields *)p->header;
}

/**
 * struct bgl_regs - registers of a node that the hot loop does not read
 * @plus: coordinates of the plus neighbours (register 03)
 * @minus: of the minus neighbours (04)
 * @cutoff: 05, 06
 * @timeout: retransmit time-outs by direction (08-0A)
 * @arbitration: 0B
 */
struct bgl_regs {
	u8 plus[3];
	u8 minus[3];
	struct bgl_cutoff cutoff[3];
	u16 timeout[BGL_DIRS];
	u32 arbitration;
};

/**
 * struct bgl_machine - parameters as the hot loop wants them
 * @timing: of every link
 * @want_dynamic: alternatives of a dynamic packet by its hint bits: both dynamic
 *                VCs of each hinted direction, the bubble VC of the escape
 * @want_normal: of a deterministic one
 * @want_priority: of a priority one
 * @vc_chunks: chunks of a VC buffer
 * @enter_chunks: tokens that entering a bubble VC asks for
 * @range_shift: tokens to two-bit range
 * @buses: transfer buses of a receiver
 * @jsq: join the shortest queue, else at random
 * @plain: account bubble packets at their true size
 * @strict_injection: injection leaves alone what the network wants
 * @slq: default fraction of SLQ cycles, of 256
 * @inject_first: default fraction of cycles that prefer injection, of 256
 * @regs: cold registers, a node
 */
struct bgl_machine {
	struct torus_link_timing timing;
	u32 want_dynamic[64];
	u32 want_normal[64];
	u32 want_priority[64];
	u32 vc_chunks;
	u32 enter_chunks;
	u32 range_shift;
	u32 buses;
	bool jsq;
	bool plain;
	bool strict_injection;
	u8 slq;
	u8 inject_first;
	struct bgl_regs *regs;
};

torus_inline struct bgl_machine *bgl_machine(struct torus_fabric *f)
{
	return f->machine;
}

extern const struct torus_param bgl_params[];
extern const struct torus_reg bgl_reg_list[];
extern const u32 bgl_reg_count;

/* router.c */
size_t bgl_node_bytes(const struct torus_config *cfg, size_t *cold);
void bgl_run(struct torus_domain *d, u64 until);
void bgl_node_reset(struct torus_fabric *f, u32 node);
void bgl_set_neighbor(struct torus_fabric *f, u32 node, u32 dir, u8 coord);
u8 bgl_get_neighbor(struct torus_fabric *f, u32 node, u32 dir);
void bgl_set_arbitration(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first);
u32 bgl_vc_tokens(struct torus_fabric *f, u32 node, u32 dir);
u32 bgl_vc_fullness(struct torus_fabric *f, u32 node, u32 dir);
u32 bgl_inject_chunks(struct torus_fabric *f, u32 node, u32 fifo);
extern const struct torus_router_ops bgl_router_ops;

/* registers.c */
void bgl_regs_reset(struct torus_fabric *f, u32 node);
int bgl_reg_read(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err);
int bgl_reg_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		  struct torus_error *err);

/* inject.c */
u32 bgl_size(const u8 *bytes);
u32 bgl_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	      const u8 *bytes, struct torus_packet *packet);
void bgl_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks);
u32 bgl_checksum_skip(const struct torus_packet *packet);
u32 bgl_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet);
s32 bgl_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to);
void bgl_image(const struct torus_packet *packet, u8 seq, u8 *bytes);
bool bgl_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet);

#endif
