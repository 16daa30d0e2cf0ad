/* SPDX-License-Identifier: GPL-2.0 */
/* Create, describe, change and delete fabrics. */
#ifndef TORUS_NL_FABRIC_H
#define TORUS_NL_FABRIC_H

#include "context.h"
#include "session.h"

#define TORUS_NL_KEY_MAX	32	/* maximum bytes of a parameter's name, with NUL */
#define TORUS_NL_TEXT_MAX	64	/* maximum bytes of a parameter's value as text, with NUL */
#define TORUS_NL_UNIT_MAX	24	/* maximum bytes of a parameter's unit, with NUL */
#define TORUS_NL_PARAMS_MAX	64	/* maximum number of parameters of a fabric */

/**
 * struct torus_nl_param - a parameter of a fabric
 * @key: name
 * @text: value as text; "" if the module sent only @value
 * @value: value as a number. For an enumeration, index of the value; for a fraction, value in units
 *    of 2^-64
 * @is_text: true if @text is sent to the module in place of @value
 * @unit: unit of the value; "" if the value has no unit
 * @initial: default value as text; "" if the module sends none
 * @live: true if the parameter can be changed while the fabric exists
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
 * struct torus_nl_fabric_spec - configuration of a new fabric
 * @arch: name of the machine
 * @dims: lengths of the dimensions
 * @mesh: bit i: dimension i is a mesh
 * @seed: seed of all random streams
 * @domains: number of domains, which are simulated in parallel
 * @has_seed: true if @seed is set; otherwise the module selects a seed
 * @has_domains: true if @domains is set
 * @tied: true if the fabric is deleted when the session ends
 * @params: further parameters
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
 * struct torus_nl_pause - pause of a fabric
 * @uid: user of the process that paused the fabric
 * @pid: its process ID; 0 if it has none in this PID namespace
 * @command: its name
 * @why: reason why the fabric has stopped
 */
struct torus_nl_pause {
	uint32_t uid;
	uint32_t pid;
	char command[TORUS_NL_COMMAND_MAX];
	char why[128];
};

/**
 * struct torus_nl_fabric - description of a fabric by the module
 * @arch: name of the machine
 * @dims: lengths of the dimensions
 * @mesh: bit i: dimension i is a mesh
 * @shape: shape in the form of the request that created the fabric
 * @nshape: number of lengths in @shape
 * @numbering: numbering of the nodes
 * @numbered: true if the module sent @numbering
 * @seed: seed of all random streams
 * @domains: number of domains, which are simulated in parallel
 * @watched: true if this user may watch the fabric; then clock, packets, memory and programs are
 *    valid
 * @clock: current tick
 * @tick_fs: femtoseconds per tick
 * @vcs: names of the VCs, separated by blanks
 * @drops: names of the reasons for dropped packets, separated by blanks; "-" marks an unused
 *    reason; "" if the module sends no names
 * @in_flight: number of packets in flight
 * @routes_wait: true if loaded routing tables wait for the tick at which they take effect
 * @routes_at: the next tick at which routing tables take effect
 * @memory: bytes of memory in use
 * @state: enum torus_fabric_state
 * @contexts: number of attached programs
 * @time_held: true if virtual time waits for a program; then the next three fields are valid
 * @time_holder: the program for which virtual time waits
 * @time_held_at: clock of that program
 * @time_held_ms: milliseconds since that program's clock last changed, or since virtual time began
 * @paused: true if the fabric is paused, and this user may watch it
 * @pause: the pause
 * @params: parameters
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
	bool paused;
	struct torus_nl_pause pause;
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
int torus_nl_fabric_pause(struct torus_nl *nl, const char *name);
int torus_nl_fabric_resume(struct torus_nl *nl, const char *name);
int torus_nl_fabric_del(struct torus_nl *nl, const char *name);
int torus_nl_fabric_del_unused(struct torus_nl *nl, const char *name);

#endif /* TORUS_NL_FABRIC_H */
