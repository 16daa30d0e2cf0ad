/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters: KEY=VALUE of a fabric.
 *
 * The common parameters are in one table (core/run/params.c), at indices below TORUS_P_MACHINE of
 * torus_config.params. A machine's own parameters follow, in the order of its table. A machine that
 * does not support a common parameter gives a reason (torus_arch.lacks): setting it is rejected
 * with that message.
 */
#ifndef TORUS_CORE_PARAM_H
#define TORUS_CORE_PARAM_H

#include "core/platform.h"

#define TORUS_PARAMS_MAX	64
#define TORUS_NODE_FIFOS_MAX	64	/* maximum injection FIFOs per node: masks have 64 bits */

/* Unit of a parameter's number. */
enum torus_unit {
	TORUS_UNIT_NONE,	/* a plain number, or a choice */
	TORUS_UNIT_TICKS,
	TORUS_UNIT_BYTES,
	TORUS_UNIT_HOPS,
	TORUS_UNIT_PERCENT,
	TORUS_UNIT_MBPS,	/* million bytes per second */
	TORUS_UNIT_FRACTION,	/* of 1, in units of 2^-64; the text is below 1 */
	TORUS_UNIT_MAX,
};

/**
 * struct torus_param - a parameter: KEY=VALUE
 * @name: the key
 * @help: one line of help
 * @values: NULL-terminated names of an enumeration's values 0.., or NULL for a number
 * @unit: enum torus_unit
 * @min: minimum of a number
 * @max: maximum of a number
 * @def: default value
 * @live: may be changed after the fabric's creation
 */
struct torus_param {
	const char *name;
	const char *help;
	const char *const *values;
	u32 unit;
	u64 min;
	u64 max;
	u64 def;
	bool live;
};

/* Initializers of an element of a parameter table. */
#define TORUS_PARAM_CHOICE(name_, names_, def_, live_, help_)			\
	{ .name = name_, .help = help_, .values = names_, .def = def_, .live = live_ }
#define TORUS_PARAM_NUMBER(name_, unit_, min_, max_, def_, live_, help_)	\
	{ .name = name_, .help = help_, .unit = unit_, .min = min_, .max = max_,	\
	  .def = def_, .live = live_ }

/* The common parameters. */
enum torus_common {
	TORUS_P_CRC,
	TORUS_P_BER,
	TORUS_P_RX_STALL,
	TORUS_P_NO_LISTENER,
	TORUS_P_INJECTION,
	TORUS_P_HOP_LIMIT,
	TORUS_P_INJECT_PACKET,
	TORUS_P_INJECT_CHUNK,
	TORUS_P_RECEIVE_PACKET,
	TORUS_P_RECEIVE_CHUNK,
	TORUS_P_INJECT,		/* enum torus_inject */
	TORUS_P_SOURCE_FIFOS,
	TORUS_P_SOURCE_ORDER,	/* enum torus_source_order */
	TORUS_P_ATTACH,		/* enum torus_rights: ANY or OWNER */
	TORUS_P_WATCH,		/* enum torus_rights */
	TORUS_P_NICE,
	TORUS_P_TIME,		/* enum torus_time */
	TORUS_P_PROGRAMS,
	TORUS_P_LOOK,
	TORUS_P_ISOLATE,
	TORUS_P_MACHINE,	/* the machine's first own parameter */
};

/* Selection of the injection FIFO for a synthetic packet. */
enum torus_source_order {
	TORUS_SOURCE_TURN,	/* round robin among FIFOs with space */
	TORUS_SOURCE_DIRECTION,	/* FIFO of the direction with the most hops left */
};

/* Rule by which the clock of a fabric with programs advances. */
enum torus_time {
	TORUS_TIME_FREE,	/* advance while there is something to simulate */
	TORUS_TIME_VIRTUAL,	/* at most to the programs' clocks, run/virtual_time.h */
};

#define TORUS_PROGRAMS_MAX	1048576u

/* Values of parameter `inject`: whether new packets may enter the network. */
enum torus_inject {
	TORUS_INJECT_GO,
	TORUS_INJECT_HOLD,	/* they may not: an administrator has set it */
	TORUS_INJECT_DRAIN,	/* they may not: torusd changes tables, or torusctl a unit */
};

/* Users that may attach to a node, or read its state. */
enum torus_rights {
	TORUS_RIGHTS_ANY,
	TORUS_RIGHTS_OWNER,	/* the node's owner, and administrators */
	TORUS_RIGHTS_ADMIN,
};

/**
 * struct torus_lack - a common parameter that a machine does not support
 * @param: enum torus_common
 * @why: reason for the error message, after the machine's name: "has no ..."
 */
struct torus_lack {
	u32 param;
	const char *why;
};

#endif
