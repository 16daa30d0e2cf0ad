/* SPDX-License-Identifier: GPL-2.0 */
/* Types and constants that follow from a machine's constants. Included by machine.h. */
#ifndef TORUS_ROUTER_TYPES_H
#define TORUS_ROUTER_TYPES_H

#include "core/platform.h"

#define ROUTER_LINK_SLOTS	(ROUTER_DIRS * ROUTER_VCS)
#define ROUTER_SLOTS		(ROUTER_LINK_SLOTS + ROUTER_INJECT)

/* Mask of alternatives. */
#if ROUTER_DIRS * ROUTER_VCS <= 32
typedef u32 router_mask_t;
#else
typedef u64 router_mask_t;
#endif

/* Mask of slots. */
#if ROUTER_DIRS * ROUTER_VCS + ROUTER_INJECT <= 32
typedef u32 router_slots_t;
#else
typedef u64 router_slots_t;
#endif

/* Mask of directions. */
#if ROUTER_DIRS <= 8
typedef u8 router_dirs_t;
#elif ROUTER_DIRS <= 16
typedef u16 router_dirs_t;
#else
typedef u32 router_dirs_t;
#endif

/*
 * Mask of reception buses. With PRIORITY there are two buses per direction: the upper half of the
 * mask is for priority packets.
 */
#if ROUTER_DIRS <= 16
typedef u32 router_sinks_t;
#else
typedef u64 router_sinks_t;
#endif
#define ROUTER_SINK_PRIORITY	(4 * sizeof(router_sinks_t))

/* A count of chunks or tokens in a buffer of up to ROUTER_CHUNKS chunks. */
#if ROUTER_CHUNKS <= 255
typedef u8 router_count_t;
#else
typedef u16 router_count_t;
#endif

/*
 * Alternatives that a head packet wants: a mask, or with ROUTER_WAYS a code of the machine for a
 * mask.
 */
#if ROUTER_WAYS == 0
typedef router_mask_t router_want_t;
#elif ROUTER_WAYS == 8
typedef u8 router_want_t;
#elif ROUTER_WAYS == 16
typedef u16 router_want_t;
#else
#error "ROUTER_WAYS: 0, 8 or 16 bits"
#endif

/* The machine's codes for masks (ROUTER_WAYS) are less than this value. */
#ifndef ROUTER_WAY_END
#define ROUTER_WAY_END		(1u << ROUTER_WAYS)
#endif

_Static_assert(ROUTER_LINK_SLOTS <= 8 * sizeof(router_mask_t), "ROUTER_VCS: a constant");
_Static_assert(ROUTER_SLOTS <= 8 * sizeof(router_slots_t), "ROUTER_INJECT: a constant");

#define ROUTER_BIT(slot)	((router_slots_t)1 << (slot))
#define ROUTER_LINK_BITS	(((ROUTER_BIT(ROUTER_LINK_SLOTS - 1) - 1) << 1) | 1)
/* Mask of the VCs of direction 0. */
#define ROUTER_VC_BITS		((router_mask_t)(((1ull << (ROUTER_VCS - 1)) - 1) << 1 | 1))
/* Mask of the alternatives of a direction. */
#define ROUTER_DIR_BITS(dir)	((router_mask_t)(ROUTER_VC_BITS << ((dir) * ROUTER_VCS)))
/* Mask of the slots of a receiver. */
#define ROUTER_PORT_BITS(dir)	((router_slots_t)((router_slots_t)ROUTER_VC_BITS << \
						  ((dir) * ROUTER_VCS)))
/*
 * The injection slots are numbered like the VCs of one more receiver: the slots share a port, and
 * are not more than the VCs of a link.
 */
#define ROUTER_INJECT_LIKE_VCS	(ROUTER_INJECT_PORT && ROUTER_INJECT <= ROUTER_VCS && \
				 (ROUTER_DIRS + 1) * ROUTER_VCS <= 8 * sizeof(router_slots_t))
#define ROUTER_DIR_BIT(dir)	((router_dirs_t)((router_dirs_t)1 << (dir)))

/*
 * Result of machine_room() for a count of tokens. GO_ON: enough for a packet that continues in its
 * ring. MAY_ENTER: with BUBBLE, enough for a packet that enters a ring.
 */
#define ROUTER_GO_ON		1u
#define ROUTER_MAY_ENTER	2u
#define ROUTER_RANGE(r)		((r) << 2)

/* Result of machine_deliver(): an operation of the machine's own NIC receives the packet. */
#define ROUTER_TO_MACHINE	(~0u)

/**
 * struct router_way - result of machine_route()
 * @want: wanted alternatives; 0 without @drop: the packet has arrived
 * @on: with BUBBLE: the packet continues in its ring, so ROUTER_GO_ON is enough; a packet that
 *	enters a ring needs ROUTER_MAY_ENTER
 * @drop: 0, or the drop reason plus 1
 */
struct router_way {
	router_want_t want;
	bool on;
	u8 drop;
};

#define ROUTER_WAY(want_, on_)	((struct router_way){ .want = (want_), .on = (on_) })
#define ROUTER_HERE		((struct router_way){ .want = 0 })
#define ROUTER_DROP(reason)	((struct router_way){ .drop = (u8)((reason) + 1) })

#endif
