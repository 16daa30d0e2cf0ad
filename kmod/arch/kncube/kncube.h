/* SPDX-License-Identifier: GPL-2.0 */
/* The k-ary n-cube of paper 003: what its files share. */
#ifndef TORUS_ARCH_KNCUBE_H
#define TORUS_ARCH_KNCUBE_H

#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/base/packet.h"

#define KN_CHUNK_BYTES		32
#define KN_PACKET_CHUNKS	8

enum kn_param {
	KN_P_LINK_DELAY = TORUS_P_MACHINE,
	KN_P_PROCESSING,
	KN_P_END,
};

#define KN_PARAMS	(KN_P_END - TORUS_P_MACHINE)

/**
 * struct kn_fields - a packet's way, in torus_packet.header
 * @left: hops left in the dimension it travels in
 * @coord: its coordinate there
 * @dir: direction, 2 a dimension
 */
struct kn_fields {
	u32 left;
	u16 coord;
	u8 dir;
	u8 spare;
};

/**
 * struct kn_machine - parameters as the hot loop wants them
 * @link_delay: ticks of a hop besides the packet's bytes (virtual channel set-up)
 * @processing: ticks of the processing unit a packet
 * @geo: the shape
 */
struct kn_machine {
	u32 link_delay;
	u32 processing;
	const struct torus_geometry *geo;
};

size_t kn_node_bytes(const struct torus_config *cfg, size_t *cold);
void kn_node_init(struct torus_fabric *f, u32 node);
void kn_route(const struct kn_machine *m, u32 node, struct torus_packet *p);
extern const struct torus_router_ops kn_router_ops;
extern const struct torus_arch torus_arch_kncube;

#endif
