/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What user space must know of a machine: one table each, found by the name that
 * the kernel tells.  What the kernel tells by itself (chunks, FIFOs, VCs, the
 * length of a tick: TORUS_IOC_INFO, netlink) is not in the tables.
 */
#ifndef TORUS_MACHINE_H
#define TORUS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/torus.h>

#define TORUS_MACHINE_HEADER_MAX	16	/* bytes of any machine's packet header */
#define TORUS_MACHINE_WHY_MAX		160	/* bytes that hold any reason */

struct torus_bgl_header;	/* <torus/bgl.h> */
struct torus_xt_header;		/* <torus/xt.h> */

/**
 * enum torus_machine_can - what one machine has and another lacks
 * @TORUS_MACHINE_HINTS: a packet's header may say which directions it takes
 * @TORUS_MACHINE_DEPOSIT: a packet may leave copies on its way
 * @TORUS_MACHINE_AVOID: user/route finds ways around what is dead
 * @TORUS_MACHINE_TABLES: routers follow tables that software loads
 * @TORUS_MACHINE_REGISTERS: nodes have device control registers
 * @TORUS_MACHINE_ATTACH: programs may take FIFOs, inject and receive
 * @TORUS_MACHINE_PRIORITY: packets of high priority have FIFOs and a VC of their own
 * @TORUS_MACHINE_CLASSES: packets of a second class have VCs and FIFOs of their own
 * @TORUS_MACHINE_UNITS: four nodes are swapped as one
 * @TORUS_MACHINE_ENGINES: its network interfaces put into programs' memory and get from it
 * @TORUS_MACHINE_PATHS: a packet takes one of the paths of its pair of nodes
 * @TORUS_MACHINE_VIEWS: jobs see the torus of a view, whatever their place
 */
enum torus_machine_can {
	TORUS_MACHINE_HINTS,
	TORUS_MACHINE_DEPOSIT,
	TORUS_MACHINE_AVOID,
	TORUS_MACHINE_TABLES,
	TORUS_MACHINE_REGISTERS,
	TORUS_MACHINE_ATTACH,
	TORUS_MACHINE_PRIORITY,
	TORUS_MACHINE_CLASSES,
	TORUS_MACHINE_UNITS,
	TORUS_MACHINE_ENGINES,
	TORUS_MACHINE_PATHS,
	TORUS_MACHINE_VIEWS,
	TORUS_MACHINE_CAN_MAX,
};

#define TORUS_MACHINE_UNIT_AXES		4	/* coordinates of a unit that is swapped */
#define TORUS_MACHINE_UNIT_NODES	4

/**
 * struct torus_machine_shape - the shape of a fabric
 * @ndims: number of dimensions, up to TORUS_DIMS_MAX
 * @dims: their lengths
 * @mesh: bit i: dimension i is a mesh
 * @numbering: how its nodes are numbered, as the kernel tells it; NULL: the first
 *             dimension is counted fastest, without gaps
 */
struct torus_machine_shape {
	__u32 ndims;
	const __u32 *dims;
	__u32 mesh;
	const struct torus_numbering *numbering;
};

/**
 * struct torus_machine_packet - a packet, in words that every machine understands
 * @dest: coordinates of its destination
 * @node: its number
 * @group: FIFO group there
 * @chunks: its length, headers included
 * @route: enum torus_route: how it travels
 * @hints: the directions it may take, in the machine's own bits, see
 *         torus_machine_hint(); 0: the hardware chooses
 * @deposit: leave a copy at every node on the way
 */
struct torus_machine_packet {
	const __u32 *dest;
	__u32 node;
	__u32 group;
	__u32 chunks;
	int route;
	__u32 hints;
	bool deposit;
};

/**
 * struct torus_machine_field - a field of a register
 * @reg: the register's name; NULL ends a list
 * @name: the field's
 * @first: its first bit, b0 is the most significant
 * @width: number of bits
 */
struct torus_machine_field {
	const char *reg;
	const char *name;
	__u8 first;
	__u8 width;
};

/**
 * struct torus_machine - what user space must know of a machine
 * @name: as the kernel calls it
 * @title: as people call it
 * @can: bit i: it has what enum torus_machine_can calls i
 * @dims_max: most dimensions of a fabric
 * @wire_bytes: that a packet takes on a link beside its own
 * @chunk_bytes: of a chunk, where no kernel tells
 * @packet_bytes: what a packet has unless told, header included
 * @chunk_ticks: ticks in which a chunk passes a link
 * @port_links: links' bandwidth that the processor port has each way; 0: it bounds no peak
 * @ordered: bit i: packets of one injection FIFO to one destination keep their
 *           order when they travel by enum torus_route i
 * @fifos: bit i: what @build writes may go by injection FIFO i, if that is no priority one
 * @second_fifos: bit i: what it writes for the second class may, and nothing else
 * @spread_fifos: the first so many injection FIFOs lead to different engines; with @spread
 * @fields: of its registers; NULL: none is known by name
 * @build: write a packet's header.  Return: 0, -ERANGE or (the machine lacks it) -EOPNOTSUPP
 *         with a reason
 * @chunks: length of a packet, out of its header
 * @resize: put another length into a header
 * @spread: lead a packet of a long message by a way of its own for each injection FIFO, with no
 *          link in common, if its way is the fabric's to choose; NULL: nothing more than that
 *          choice spreads them
 * @hint: the header's bit that lets a packet take a direction
 * @unit_node: coordinates of a unit's node, 0 to TORUS_MACHINE_UNIT_NODES - 1; with
 *             TORUS_MACHINE_UNITS
 * @unit_of: coordinates of the unit that a node is in; likewise
 */
struct torus_machine {
	const char *name;
	const char *title;
	__u32 can;
	__u32 dims_max;
	__u32 wire_bytes;
	__u32 chunk_bytes;
	__u32 packet_bytes;
	__u32 chunk_ticks;
	__u32 port_links;
	__u32 ordered;
	__u32 fifos;
	__u32 second_fifos;
	__u32 spread_fifos;
	const struct torus_machine_field *fields;
	int (*build)(void *header, const struct torus_machine_packet *packet, char *why,
		     size_t size);
	unsigned int (*chunks)(const void *header);
	void (*resize)(void *header, unsigned int chunks);
	void (*spread)(void *header, unsigned int fifo);
	__u32 (*hint)(unsigned int dir);
	void (*unit_node)(const __u32 *unit, unsigned int node, __u32 *coords);
	void (*unit_of)(const __u32 *coords, __u32 *unit);
};

#define TORUS_MACHINE_CAN(what)	(1u << (what))

extern const struct torus_machine torus_machine_bgl;
extern const struct torus_machine torus_machine_xt;
extern const struct torus_machine torus_machine_tofu;
extern const struct torus_machine torus_machine_kncube;

/* All tables; NULL ends the list. */
extern const struct torus_machine *const torus_machines[];

const struct torus_machine *torus_machine_find(const char *name);
bool torus_machine_can(const struct torus_machine *machine, enum torus_machine_can what);
int torus_machine_demand(const char *name, enum torus_machine_can what, char *why,
			 size_t size);
unsigned int torus_machine_direction(const struct torus_machine_shape *shape,
				     const __u32 *from, const __u32 *to);
bool torus_machine_ordered(const struct torus_machine *machine, int route);

const struct torus_machine_field *torus_machine_field(const struct torus_machine *machine,
						      const char *reg, const char *name);
__u32 torus_machine_field_mask(const struct torus_machine_field *field);

extern const struct torus_machine_field torus_machine_bgl_fields[];

/* number.c */
int torus_machine_number(const struct torus_machine *machine,
			 const struct torus_machine_shape *shape, const __u32 *coords,
			 __u32 *number);
int torus_machine_place(const struct torus_machine *machine,
			const struct torus_machine_shape *shape, __u32 number, __u32 *coords);

/* bgl.c: the header of Blue Gene/L, field by field */
int torus_machine_bgl_pack(void *packet, const struct torus_bgl_header *header, char *why,
			   size_t size);
void torus_machine_bgl_unpack(const void *packet, struct torus_bgl_header *header);
void torus_machine_bgl_defaults(struct torus_bgl_header *header, int route, const __u32 *dest,
				__u32 group, __u32 chunks);

/* xt.c: the Cray XT's header flit, field by field */
int torus_machine_xt_pack(void *packet, const struct torus_xt_header *header, char *why,
			  size_t size);
void torus_machine_xt_unpack(const void *packet, struct torus_xt_header *header);

#endif /* TORUS_MACHINE_H */
