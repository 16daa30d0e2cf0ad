/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters: KEY=VALUE of a fabric.
 *
 * What every machine has is in one table (core/run/params.c) and has the places
 * below TORUS_P_MACHINE in torus_config.params; a machine's own follow, in the
 * order of its table.  A machine that lacks a common one says why
 * (torus_arch.lacks), and it is refused by name.
 */
#ifndef TORUS_CORE_PARAM_H
#define TORUS_CORE_PARAM_H

#include "core/env.h"

#define TORUS_PARAMS_MAX	64
#define TORUS_NODE_FIFOS_MAX	64	/* injection FIFOs: a bit each */

/* What a parameter's number counts. */
enum torus_unit {
	TORUS_UNIT_NONE,	/* things that its name tells, or a choice */
	TORUS_UNIT_TICKS,
	TORUS_UNIT_BYTES,
	TORUS_UNIT_HOPS,
	TORUS_UNIT_PERCENT,
	TORUS_UNIT_MBPS,	/* million bytes a second */
	TORUS_UNIT_FRACTION,	/* of 1, in units of 2^-64; its text is a number below 1 */
	TORUS_UNIT_MAX,
};

/**
 * struct torus_param - one KEY=VALUE
 * @name: the key
 * @help: one line
 * @values: NULL-terminated names of an enumeration's values 0.., or NULL for a number
 * @unit: enum torus_unit
 * @min: least number
 * @max: greatest number
 * @def: default
 * @live: may be changed on a living fabric
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

/* Rows of a table of parameters. */
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
	TORUS_P_MACHINE,	/* the first of the machine's own */
};

/* Which injection FIFO takes a synthetic source's packet? */
enum torus_source_order {
	TORUS_SOURCE_TURN,	/* the next in turn that has room */
	TORUS_SOURCE_DIRECTION,	/* that of the direction in which it has furthest to go */
};

/* What the clock of a fabric with programs goes by. */
enum torus_time {
	TORUS_TIME_FREE,	/* by what there is to simulate */
	TORUS_TIME_VIRTUAL,	/* by their clocks, see core/run/virtual_time.h */
};

#define TORUS_PROGRAMS_MAX	1048576u

/* Does anything new enter the network? */
enum torus_inject {
	TORUS_INJECT_GO,
	TORUS_INJECT_HOLD,	/* an administrator's word */
	TORUS_INJECT_DRAIN,	/* an agent's, until tables have changed */
};

/* Who may do something with a node, or learn something of it? */
enum torus_rights {
	TORUS_RIGHTS_ANY,
	TORUS_RIGHTS_OWNER,	/* the node's, and administrators */
	TORUS_RIGHTS_ADMIN,
};

/**
 * struct torus_lack - a common parameter that a machine has no use for
 * @param: enum torus_common
 * @why: what to tell who asks for it, behind the machine's name: "has no ..."
 */
struct torus_lack {
	u32 param;
	const char *why;
};

#endif
