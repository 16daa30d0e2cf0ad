/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine, as data and operations. kmod/arch/README.md explains, operation by operation, how the
 * machines implement them.
 *
 * The hot operations of a machine (route, selection, arbitration key, header change at a hop) are
 * not here. They are static functions in the machine's router file (core/router/machine.h). The hot
 * loop is compiled once per machine, with these functions inlined.
 */
#ifndef TORUS_CORE_ARCH_H
#define TORUS_CORE_ARCH_H

#include "core/platform.h"
#include "core/error.h"
#include "core/base/geometry.h"
#include "core/state/param.h"

struct torus_snapshot;
struct torus_config;
struct torus_fabric;
struct torus_domain;
struct torus_packet;
struct torus_gate_ops;
struct torus_link_timing;
struct torus_nic;
struct torus_router_ops;
struct torus_traffic;

/**
 * struct torus_reg - a register of a machine's node
 * @name: its name
 * @offset: offset in the machine's own numbering
 * @flags: TORUS_REG_*
 * @mask: writable bits
 * @help: one line of help
 */
struct torus_reg {
	const char *name;
	u32 offset;
	u32 flags;
	u32 mask;
	const char *help;
};

/**
 * struct torus_arch - a machine
 * @name: name in `fabric add NAME arch NAME`
 * @help: one line of help
 * @dims_min: minimum number of lengths in `shape`
 * @dims_max: maximum number of lengths in `shape`
 * @length_max: maximum of each length
 * @nodes_max: maximum number of nodes
 * @groups: number of FIFO groups per node
 * @inject_fifos: number of injection FIFOs per group
 * @inject_priority: bit i: FIFO i is a priority FIFO
 * @source_fifos: number of normal injection FIFOs per node that a synthetic source fills by default
 *   (parameter source_fifos); 0: all
 * @receive_fifos: number of reception FIFOs per group
 * @receive_priority: bit i: reception FIFO i is a priority FIFO
 * @fifo_chunks: capacity of each modelled FIFO, in chunks
 * @chunk_bytes: bytes of a chunk, the unit of flow control
 * @packet_chunks_max: chunks of the largest packet
 * @header_bytes: bytes of the hardware's header at the start of each packet
 * @crc_bytes: bytes of the packet CRC
 * @crc_at: 0: the CRC follows the packet's bytes; else its offset in the header, whose length
 *   includes it. @crc excludes these bytes
 * @crc_generator: generator polynomial of the CRC, including the highest power; XORed into a
 *   packet, it is an error that the CRC does not detect
 * @ticks_per_chunk: ticks in which a link sends a chunk
 * @payload_overhead: bytes of a packet that are not payload
 * @classes: number of packet classes. Packets on VCs of one class do not wait for VCs of another
 *   class. 0: all packets are in one class
 * @isolates: default of the parameter `isolate`: partitions share no buffer
 * @port_links: bandwidth of the processor port in each direction, as a multiple of a link's
 *   bandwidth; it also limits the peaks of patterns. 0: no limit
 * @machine_bytes: size of the data that @configure fills in
 * @kept_bytes: memory that the machine's own NIC may always use for the requests of a FIFO group,
 *   even if memory is scarce
 * @params: the machine's own parameters
 * @nparams: number of elements of @params
 * @lacks: common parameters that the machine does not support
 * @nlacks: number of elements of @lacks
 * @regs: the machine's registers
 * @nregs: number of elements of @regs
 * @drops: names of the machine's own drop reasons, from TORUS_DROP_MACHINE on; words of lower-case
 *   letters and underscores
 * @ndrops: number of elements of @drops, at most TORUS_DROP_MAX - TORUS_DROP_MACHINE
 * @shape: convert the lengths of `shape` to dimensions; NULL: no conversion. @g: [in, out] has
 *   @ndims, @dims and @mesh as requested, in range; replaced by those of the torus (groups of
 *   twelve may become three more dimensions, some of them meshes). Return: 0 or a negative errno
 * @numbering: set split, stride and jump of @g->numbering (core/base/node_number.h); NULL: x
 *   fastest. Called again after each change of a parameter
 * @tick_fs: get the length of a tick in femtoseconds
 * @router: get the router for a configuration
 * @node_bytes: get the size of a node in the hot loop, and the other memory per node that
 *   @configure allocates
 * @configure: derive the data of the hot loop from the parameters, and validate combinations of
 *   parameters. The common parameters have been stored in the fabric's members; @configure may
 *   reject or replace them
 * @release: may be NULL; free the memory of @configure, and of tables, registers, engines and gates
 * @node_init: initialize an idle node
 * @ready: may be NULL; check whether a workload can start, for example whether routing tables
 *   exist. Return: 0, or a negative errno and a message about the missing part
 * @later_bytes: may be NULL; get the bytes of registers, engines and barrier gates, which are
 *   allocated after @configure. The memory of operations in progress and of error
 *   registers is not included
 * @reg_node_bytes: memory per node for registers; the first register write allocates it for all
 *   nodes
 * @routes_make: NULL without routing tables; create tables from a copy of an image (see the ABI).
 *   @routes: [out] the tables; @err: [out] error of the image
 * @routes_use: NULL without routing tables; make @routes the current tables of all routers, free
 *   the previous tables
 * @routes_free: NULL without routing tables; free tables that are not in use
 * @routes_image: NULL without routing tables; get the image of the current tables, NULL and 0 bytes
 *   if there are none
 * @routes_read: NULL without routing tables; get the image from which @routes were made
 * @check: NULL if programs cannot attach; validate the copied bytes of a user's packet and convert
 *   them to @packet. Return: 0 or TORUS_REFUSE_*
 * @size: NULL with @check; get the chunks of a packet from its first header_bytes bytes; 0 if they
 *   encode no valid size
 * @deposit: NULL if the machine has no deposit; make the header of a synthetic packet of @chunks
 *   that is delivered at each of the next @hops nodes in direction @dir, and set the packet's
 *   destination
 * @make: make the header of a synthetic packet of @chunks from its source to its destination, of
 *   the class of the fabric's workload
 * @attach: may be NULL; called before a client attaches to a FIFO group: allocate data for commands
 *   to the machine's own NIC. Return: 0 or -ENOMEM
 * @command: may be NULL; false if a client's bytes are a packet. True if they are a command, which
 *   the NIC has accepted, or rejected with the reason @code
 * @commands_full: NULL with @command; true if the NIC cannot accept a command of an injection FIFO
 *   at present
 * @lost: may be NULL; process the loss of a packet with a body; the caller keeps the packet
 * @hand: NULL with @lost; process the packet of a TORUS_EV_NIC event in a node's NIC; the result
 *   must not depend on the order of packets in a tick
 * @checksum_skip: get the number of bytes at the start of a user's packet that its header excludes
 *   from the checksum of its injection FIFO; NULL: no checksums
 * @inject_route: change a packet as the hardware does when the packet enters an injection FIFO
 *   (compute hints). Return: 0 or TORUS_REFUSE_*
 * @stays_in_partition: check whether a packet that passed @inject_route stays in its node's
 *   partition on all of its possible routes. NULL if routes cannot be predicted: the parameter
 *   `isolate` is then rejected
 * @loop: NULL if the NIC has no path to its own node; get the reception FIFO of a packet to its own
 *   node, and the ticks until its last byte arrives (out). TORUS_NONE: @take receives the packet;
 *   no space is reserved
 * @take: NULL if @loop always returns a FIFO; receive a packet to the own node in the machine's own
 *   NIC, which frees or resends the packet. At the packet's final destination, call
 *   torus_completion_delivered()
 * @steps: get the hops in a dimension between two coordinates, negative in minus direction, on a
 *   machine without faults; NULL: use torus_geometry_steps()
 * @intact: check a received header against its own CRC
 * @crc: compute the packet CRC over the hardware's header and the other bytes
 * @image: make the bytes of the hardware's header on the wire, with the header CRC and as many low
 *   bits of the sequence number as fit. NULL, and @crc and @intact NULL: packets have no header
 * @adopt: NULL with @image; decode a received header image, which may be damaged, into a packet;
 *   false if that is not possible
 * @reg_peek: get a register's value without side effects; NULL without registers, as are @reg_read
 *   and @reg_write
 * @reg_boot: get the initial value of a writable register
 * @reg_read: read a register as a processor does
 * @reg_write: write a register
 * @unmasked: check whether a node's mask admits a critical interrupt (TORUS_CAUSE); NULL: there are
 *   none
 * @error: may be NULL; count an error (enum torus_hw_error) in a node's registers, and raise
 *   unmasked interrupts
 * @counters_reset: may be NULL; called before the fabric's counters are reset, to keep registers
 *   whose values the machine derives from counters
 * @sane: check whether a restored packet is possible at a node, so that its header cannot mislead
 *   the router. NULL: all packets are possible
 * @snapshot: may be NULL; write or read a node's state outside of the router, see state/snapshot.h
 * @gates: barrier gates for programs, core/nic/gate.h; NULL: none
 * @timing: NULL if no link can be live; compute a link's delays, time-out and resend FIFO from
 *   parameters and registers
 * @status: may be NULL; write the machine's status bytes of a node's FIFO group
 */
struct torus_arch {
	const char *name;
	const char *help;
	u32 dims_min;
	u32 dims_max;
	u32 length_max;
	u32 nodes_max;
	u32 groups;
	u32 inject_fifos;
	u32 inject_priority;
	u32 source_fifos;
	u32 receive_fifos;
	u32 receive_priority;
	u32 fifo_chunks;
	u32 chunk_bytes;
	u32 packet_chunks_max;
	u32 header_bytes;
	u32 payload_overhead;
	u32 crc_bytes;
	u32 crc_at;
	u64 crc_generator;
	u32 ticks_per_chunk;
	u32 classes;
	bool isolates;
	u32 port_links;
	size_t machine_bytes;
	size_t kept_bytes;
	const struct torus_param *params;
	u32 nparams;
	const struct torus_lack *lacks;
	u32 nlacks;
	const struct torus_reg *regs;
	const u32 *nregs;
	u32 reg_node_bytes;
	const char *const *drops;
	u32 ndrops;

	int (*shape)(struct torus_geometry *g, struct torus_error *err);
	void (*numbering)(const struct torus_config *cfg, struct torus_geometry *g);
	u64 (*tick_fs)(const struct torus_config *cfg);
	const struct torus_router_ops *(*router)(const struct torus_config *cfg);
	size_t (*node_bytes)(const struct torus_config *cfg, size_t *cold);
	int (*configure)(struct torus_fabric *f, struct torus_error *err);
	void (*release)(struct torus_fabric *f);
	size_t (*later_bytes)(const struct torus_fabric *f);
	void (*node_init)(struct torus_fabric *f, u32 node);
	int (*ready)(struct torus_fabric *f, struct torus_error *err);
	int (*routes_make)(struct torus_fabric *f, const void *image, size_t bytes,
			   void **routes, struct torus_error *err);
	void (*routes_use)(struct torus_fabric *f, void *routes);
	void (*routes_free)(void *routes);
	const void *(*routes_image)(const struct torus_fabric *f, size_t *bytes);
	const void *(*routes_read)(const void *routes, size_t *bytes);
	u32 (*size)(const u8 *bytes);
	u32 (*check)(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
		     const u8 *bytes, struct torus_packet *packet);
	void (*make)(struct torus_fabric *f, struct torus_packet *packet, u32 chunks);
	int (*attach)(struct torus_fabric *f);
	bool (*command)(struct torus_domain *d, const struct torus_nic *nic, u32 fifo,
			const u8 *bytes, u32 chunks, u32 *code);
	bool (*commands_full)(struct torus_domain *d, const struct torus_nic *nic, u32 fifo);
	void (*lost)(struct torus_domain *d, struct torus_packet *p);
	void (*hand)(struct torus_domain *d, u32 node, u32 pkt);
	u32 (*checksum_skip)(const struct torus_packet *packet);
	void (*deposit)(struct torus_fabric *f, struct torus_packet *packet, u32 chunks, u32 dir,
			u32 hops);
	u32 (*inject_route)(struct torus_fabric *f, u32 node, struct torus_packet *packet);
	bool (*stays_in_partition)(struct torus_fabric *f, u32 node,
				   const struct torus_packet *packet);
	u32 (*loop)(struct torus_fabric *f, u32 node, const struct torus_packet *packet,
		    u32 *ticks);
	void (*take)(struct torus_domain *d, u32 node, u32 pkt);
	s32 (*steps)(struct torus_fabric *f, u32 dim, u32 from, u32 to);
	bool (*intact)(const u8 *header);
	u32 (*crc)(const u8 *bytes, u32 len);
	void (*image)(const struct torus_packet *packet, u32 seq, u8 *bytes);
	bool (*adopt)(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet);
	int (*reg_peek)(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
			struct torus_error *err);
	u32 (*reg_boot)(struct torus_fabric *f, u32 node, u32 offset);
	int (*reg_read)(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
			struct torus_error *err);
	int (*reg_write)(struct torus_fabric *f, u32 node, u32 offset, u32 value,
			 struct torus_error *err);
	bool (*unmasked)(struct torus_fabric *f, u32 node, u32 cause);
	void (*error)(struct torus_fabric *f, u32 node, u32 what, u32 dir, u32 vc);
	void (*counters_reset)(struct torus_fabric *f);

	bool (*sane)(const struct torus_fabric *f, u32 node, const struct torus_packet *packet);
	void (*snapshot)(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
	const struct torus_gate_ops *gates;
	void (*timing)(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t);
	void (*status)(struct torus_fabric *f, u32 node, u32 group, u8 *bytes);
};

/* Number of injection FIFOs of a node, without the priority FIFOs. */
torus_inline u32 torus_arch_fifos(const struct torus_arch *arch)
{
	return (arch->inject_fifos - torus_popcount(arch->inject_priority)) * arch->groups;
}

#endif /* TORUS_CORE_ARCH_H */
