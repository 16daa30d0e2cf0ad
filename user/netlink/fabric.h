/* SPDX-License-Identifier: GPL-2.0 */
/* Make, describe, change and delete fabrics. */
#ifndef TORUS_NL_FABRIC_H
#define TORUS_NL_FABRIC_H

#include "context.h"
#include "session.h"

#define TORUS_NL_KEY_MAX	32	/* bytes of a parameter's name, NUL included */
#define TORUS_NL_TEXT_MAX	64	/* of its value as text */
#define TORUS_NL_UNIT_MAX	24	/* of the unit of its value */
#define TORUS_NL_PARAMS_MAX	64	/* parameters of a fabric that are kept */

/**
 * struct torus_nl_param - a parameter of a fabric
 * @key: its name
 * @text: its value in words; "" when only @value was sent
 * @value: its value as a number; of an enumeration its index, of a fraction
 *         units of 2^-64
 * @is_text: @text is sent, not @value
 * @unit: of the value, as the module tells it; "" when it has none
 * @initial: what it is unless told, in words; "" of a module that does not tell
 * @live: a living fabric takes it
 */
struct torus_nl_param {
	char key[TORUS_NL_KEY_MAX];
	char text[TORUS_NL_TEXT_MAX];
	uint64_t value;
	bool is_text;
	char unit[TORUS_NL_UNIT_MAX];
	char initial[TORUS_NL_TEXT_MAX];
	bool live;
};

/**
 * struct torus_nl_fabric_spec - a fabric to be made
 * @name: its name
 * @arch: the machine
 * @dims: lengths of its dimensions
 * @ndims: number of dimensions
 * @mesh: bit i: dimension i is a mesh
 * @seed: of all random streams
 * @domains: parts that are simulated side by side
 * @has_seed: @seed is given; else the module chooses
 * @has_domains: @domains is given
 * @tied: the fabric dies with the session
 * @params: further parameters
 * @nparams: number of parameters
 */
struct torus_nl_fabric_spec {
	const char *name;
	const char *arch;
	uint32_t dims[TORUS_DIMS_MAX];
	unsigned int ndims;
	uint32_t mesh;
	uint64_t seed;
	uint32_t domains;
	bool has_seed;
	bool has_domains;
	bool tied;
	const struct torus_nl_param *params;
	size_t nparams;
};

/**
 * struct torus_nl_fabric - a fabric as the module describes it
 * @name: its name
 * @arch: the machine
 * @dims: lengths of its dimensions
 * @ndims: number of dimensions
 * @mesh: bit i: dimension i is a mesh
 * @shape: the shape as it was asked for
 * @nshape: number of lengths in it
 * @nodes: number of nodes
 * @numbering: how the nodes are numbered
 * @numbered: the module has told @numbering
 * @seed: of all random streams
 * @domains: parts that are simulated side by side
 * @watched: what goes on in it is told to this user: clock, packets, memory, programs
 * @clock: ticks
 * @tick_fs: femtoseconds a tick
 * @vcs: names of the VCs, a blank between them
 * @drops: names of the reasons why packets are dropped, a blank between them, "-" where
 *         there is no such reason; "" from a module that does not tell
 * @in_flight: packets under way
 * @routes_wait: routing tables wait for their tick
 * @routes_at: the next such tick
 * @memory: bytes it takes
 * @state: enum torus_fabric_state
 * @contexts: programs attached now
 * @time_held: virtual time waits for a program:
 * @time_holder: which
 * @time_held_at: its clock
 * @time_held_ms: since when that has not moved
 * @params: its parameters
 * @nparams: number of parameters
 */
struct torus_nl_fabric {
	char name[TORUS_NAME_MAX];
	char arch[16];
	uint32_t dims[TORUS_DIMS_MAX];
	unsigned int ndims;
	uint32_t mesh;
	uint32_t shape[TORUS_DIMS_MAX];
	unsigned int nshape;
	uint32_t nodes;
	struct torus_numbering numbering;
	bool numbered;
	uint64_t seed;
	uint32_t domains;
	bool watched;
	uint64_t clock;
	uint64_t tick_fs;
	char vcs[64];
	char drops[256];
	uint64_t in_flight;
	bool routes_wait;
	uint64_t routes_at;
	uint64_t memory;
	uint32_t state;
	uint32_t contexts;
	bool time_held;
	struct torus_nl_context time_holder;
	uint64_t time_held_at;
	uint64_t time_held_ms;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
};

void torus_nl_fabric_params(const struct torus_nl_reply *reply, struct torus_nl_param *params,
			    size_t *count);
const char *torus_nl_fabric_param(const struct torus_nl_fabric *fabric, const char *key);
int torus_nl_fabric_add(struct torus_nl *nl, const struct torus_nl_fabric_spec *spec);
int torus_nl_fabric_get(struct torus_nl *nl, const char *name, struct torus_nl_fabric *fabric);
int torus_nl_fabric_dump(struct torus_nl *nl, struct torus_nl_fabric **fabrics, size_t *count);
int torus_nl_fabric_set(struct torus_nl *nl, const char *name,
			const struct torus_nl_param *params, size_t nparams);
int torus_nl_fabric_reset(struct torus_nl *nl, const char *name);
int torus_nl_fabric_del(struct torus_nl *nl, const char *name);

#endif /* TORUS_NL_FABRIC_H */
