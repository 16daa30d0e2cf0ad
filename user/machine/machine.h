/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Descriptions of the machines for user space, found by the name that the kernel reports. The names
 * of VCs and the length of a tick are not included, because the kernel reports them.
 */
#ifndef TORUS_MACHINE_H
#define TORUS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/torus.h>

#define TORUS_MACHINE_HEADER_MAX	16	/* maximum bytes of a machine's packet header */
#define TORUS_MACHINE_WHY_MAX		160	/* maximum bytes of an error message */

struct torus_bgl_header;	/* defined in <torus/bgl.h> */
struct torus_xt_header;		/* defined in <torus/xt.h> */

/**
 * enum torus_machine_can - features that not all machines have
 * @TORUS_MACHINE_HINTS: a packet's header may restrict its directions
 * @TORUS_MACHINE_DEPOSIT: a packet may leave copies at the nodes of its path
 * @TORUS_MACHINE_AVOID: user/route finds routes around dead nodes and links
 * @TORUS_MACHINE_TABLES: routers use tables that software loads
 * @TORUS_MACHINE_REGISTERS: nodes have device control registers
 * @TORUS_MACHINE_ATTACH: programs may attach to FIFO groups
 * @TORUS_MACHINE_PRIORITY: packets of high priority have their own FIFOs and VC
 * @TORUS_MACHINE_CLASSES: packets of a second class have their own FIFOs and VCs
 * @TORUS_MACHINE_UNITS: units of four nodes can be swapped
 * @TORUS_MACHINE_ENGINES: network interfaces put to programs' memory and get from it
 * @TORUS_MACHINE_PATHS: there are several paths per pair of nodes to select from
 * @TORUS_MACHINE_VIEWS: a job sees a torus of its own (view), wherever its nodes are
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

#define TORUS_MACHINE_UNIT_AXES		4	/* number of coordinates of a unit */
#define TORUS_MACHINE_UNIT_NODES	4

/**
 * struct torus_machine_shape - shape of a fabric
 * @ndims: number of dimensions, up to TORUS_DIMS_MAX
 * @dims: length of each dimension
 * @mesh: bit i: dimension i is a mesh
 * @numbering: numbering of the nodes as reported by the kernel; NULL: without gaps, the first
 *   dimension varies fastest
 */
struct torus_machine_shape {
	uint32_t ndims;
	const uint32_t *dims;
	uint32_t mesh;
	const struct torus_numbering *numbering;
};

/**
 * struct torus_machine_packet - properties of a packet that apply to all machines
 * @dest: coordinates of the destination
 * @node: number of the destination
 * @group: FIFO group at the destination
 * @chunks: length, headers included
 * @route: enum torus_route
 * @hints: permitted directions, as bits from the @hint function of the machine; 0: selected by the
 *   hardware
 * @deposit: leave a copy at every node of the path
 */
struct torus_machine_packet {
	const uint32_t *dest;
	uint32_t node;
	uint32_t group;
	uint32_t chunks;
	int route;
	uint32_t hints;
	bool deposit;
};

/**
 * struct torus_machine_field - a field of a register
 * @reg: name of the register; NULL ends a list
 * @name: name of the field
 * @first: first bit; b0 is the most significant bit
 * @width: number of bits
 */
struct torus_machine_field {
	const char *reg;
	const char *name;
	uint8_t first;
	uint8_t width;
};

/**
 * struct torus_machine - description of a machine
 * @name: name in the kernel
 * @title: name for people
 * @can: bit i: the machine has feature i of enum torus_machine_can
 * @dims_max: maximum number of lengths in a requested shape; a Tofu fabric has more dimensions
 * @wire_bytes: bytes on a link in addition to a packet's own
 * @chunk_bytes: bytes per chunk, for use without the kernel
 * @packet_bytes: default length of a packet, header included
 * @chunk_ticks: ticks of a chunk on a link
 * @port_links: bandwidth of the processor port in each direction, in links; 0: not a limit
 * @ordered: bit i: packets of one injection FIFO to one destination stay in order when routed by
 *   enum torus_route i
 * @fifos: bit i: packets of @build may use injection FIFO i, if it is not a priority FIFO, except
 *   those of the second class
 * @second_fifos: bit i: FIFO i is reserved for packets of the second class
 * @spread_fifos: number of injection FIFOs, from the first, that lead to different engines; with
 *   @spread
 * @fields: fields of its registers; NULL: none is known
 * @build: build a packet's header; returns 0, -ERANGE, or -EOPNOTSUPP if the machine lacks a
 *   feature, with an error message
 * @chunks: read the length of a packet from its header
 * @resize: change the length in a header
 * @spread: select a path per injection FIFO for a packet of a long message, if the fabric may
 *   select it; the paths share no link. NULL: only the fabric's selection spreads packets
 * @hint: return the header bit that permits a direction
 * @unit_node: compute the coordinates of a unit's node, 0 to TORUS_MACHINE_UNIT_NODES - 1; with
 *   TORUS_MACHINE_UNITS
 * @unit_of: compute the coordinates of a node's unit; with TORUS_MACHINE_UNITS
 */
struct torus_machine {
	const char *name;
	const char *title;
	uint32_t can;
	uint32_t dims_max;
	uint32_t wire_bytes;
	uint32_t chunk_bytes;
	uint32_t packet_bytes;
	uint32_t chunk_ticks;
	uint32_t port_links;
	uint32_t ordered;
	uint32_t fifos;
	uint32_t second_fifos;
	uint32_t spread_fifos;
	const struct torus_machine_field *fields;
	int (*build)(void *header, const struct torus_machine_packet *packet, char *why,
		     size_t size);
	unsigned int (*chunks)(const void *header);
	void (*resize)(void *header, unsigned int chunks);
	void (*spread)(void *header, unsigned int fifo);
	uint32_t (*hint)(unsigned int dir);
	void (*unit_node)(const uint32_t *unit, unsigned int node, uint32_t *coords);
	void (*unit_of)(const uint32_t *coords, uint32_t *unit);
};

#define TORUS_MACHINE_CAN(what)	(1u << (what))

extern const struct torus_machine torus_machine_bgl;
extern const struct torus_machine torus_machine_xt;
extern const struct torus_machine torus_machine_tofu;
extern const struct torus_machine torus_machine_kncube;

/* All descriptions; NULL ends the list. */
extern const struct torus_machine *const torus_machines[];

const struct torus_machine *torus_machine_find(const char *name);
bool torus_machine_can(const struct torus_machine *machine, enum torus_machine_can what);
int torus_machine_demand(const char *name, enum torus_machine_can what, char *why,
			 size_t size);
unsigned int torus_machine_direction(const struct torus_machine_shape *shape,
				     const uint32_t *from, const uint32_t *to);
bool torus_machine_ordered(const struct torus_machine *machine, int route);

const struct torus_machine_field *torus_machine_field(const struct torus_machine *machine,
						      const char *reg, const char *name);
uint32_t torus_machine_field_mask(const struct torus_machine_field *field);

extern const struct torus_machine_field torus_machine_bgl_fields[];

/* node_number.c */
int torus_machine_number(const struct torus_machine *machine,
			 const struct torus_machine_shape *shape, const uint32_t *coords,
			 uint32_t *number);
int torus_machine_place(const struct torus_machine *machine,
			const struct torus_machine_shape *shape, uint32_t number, uint32_t *coords);

/* bgl.c: fields of Blue Gene/L's packet header */
int torus_machine_bgl_pack(void *packet, const struct torus_bgl_header *header, char *why,
			   size_t size);
void torus_machine_bgl_unpack(const void *packet, struct torus_bgl_header *header);
void torus_machine_bgl_defaults(struct torus_bgl_header *header, int route, const uint32_t *dest,
				uint32_t group, uint32_t chunks);

/* xt.c: fields of the Cray XT's header flit */
int torus_machine_xt_pack(void *packet, const struct torus_xt_header *header, char *why,
			  size_t size);
void torus_machine_xt_unpack(const void *packet, struct torus_xt_header *header);

#endif /* TORUS_MACHINE_H */
