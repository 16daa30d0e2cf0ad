/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Cray XT's SeaStar (Abts et al. (2007)): sizes, parameters, and data of the hot loop.
 *
 * The unit of flow control is a flit of 68 bits, of which software sees 8 bytes. A tick is half a
 * byte on the link, so a flit takes 17 ticks: the router's cycle.
 */
#ifndef TORUS_ARCH_XT_H
#define TORUS_ARCH_XT_H

#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"

#define XT_DIMS			3
#define XT_DIRS			6
#define XT_VCS			4	/* two classes of two VCs */
#define XT_CLASSES		2
#define XT_NIDS			32768	/* destination[14:0] */
#define XT_GROUPS		2
#define XT_FIFO_FLITS		72	/* capacity of a modelled FIFO: eight packets */
#define XT_FLIT_BYTES		8
#define XT_FLIT_TICKS		17
#define XT_PACKET_FLITS		9	/* maximum: a header flit, eight of data */
#define XT_BUFFER_FLITS		96	/* "four 96-entry input buffers" */
#define XT_STAGING_FLITS	16	/* "the staging buffers are only 16 entries deep" */
#define XT_BANK			24	/* "24 staging buffers in front of each output port" */
#define XT_AGE_MAX		2047	/* age[10:0], saturating */
#define XT_CRC_BYTES		2

/* Reasons for which the router drops a packet, from TORUS_DROP_MACHINE on. */
enum xt_drop {
	XT_DROP_DATELINE,	/* VC 1 at a dateline: "considered a software error" */
	XT_DROP_TURN_BACK,	/* the table leads back over the cable that the packet came by */
	XT_DROPS,
};

enum xt_param {
	XT_P_PLANES = TORUS_P_MACHINE,
	XT_P_ARBITRATION,
	XT_P_BUFFER_FLITS,
	XT_P_STAGING_FLITS,
	XT_P_LATENCY,
	XT_P_CREDIT_DELAY,
	XT_P_CROSSBAR,
	XT_P_WINDOW,
	XT_P_TIMEOUT,
	XT_P_RETRIES,
	XT_P_END,
};

#define XT_PARAMS	(XT_P_END - TORUS_P_MACHINE)

enum { XT_OLDEST, XT_ROUND_ROBIN };

/**
 * struct xt_fields - the machine's fields in torus_packet.header
 * @since: low half of the tick at which the packet's header reached this router, or it became the
 *   head of its injection slot
 * @nid: destination[14:0]
 * @age: router cycles waited in the earlier routers, 0..XT_AGE_MAX
 * @sw: twelve bits for software
 * @class: packet class 0 or 1, which has a pair of VCs
 */
struct xt_fields {
	u32 since;
	u16 nid;
	u16 age;
	u16 sw : 12;
	u16 class : 4;
} __attribute__((packed, aligned(2)));

struct xt_routes;

/**
 * struct xt_machine - parameters in the form that the hot loop uses
 * @timing: timing of each link
 * @routes: the tables, NULL before any was loaded
 * @buffer: flits of a VC's input buffer
 * @staging: flits of a staging buffer
 * @crossbar: ticks until a header has crossed the crossbar
 * @turns: true: arbiters are round robin; false: the oldest packet is first
 */
struct xt_machine {
	struct torus_link_timing timing;
	struct xt_routes *routes;
	u32 buffer;
	u32 staging;
	u32 crossbar;
	bool turns;
};

torus_inline struct xt_fields *xt_fields(struct torus_packet *p)
{
	return (struct xt_fields *)p->header;
}

#endif
