/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run the broadcasts of all nodes in one thread, rank by rank.  A call that waited inside the
 * library for another rank would hang.
 */
#ifndef TORUS_TESTS_CASTER_H
#define TORUS_TESTS_CASTER_H

#include <torus/collective.h>
#include <stdint.h>
#include "../../machine/machine.h"
#include "../collective/broadcast_plan.h"
#include "fake.h"

#define CASTER_KEY		0xb0adca57u
/* number of steps after which a broadcast counts as hanging */
#define CASTER_STEPS_MAX	10000000
#define PAYLOAD			FAKE_PAYLOAD

/**
 * struct caster - a job on all nodes of a fabric, run by one thread
 * @fake: the fabric
 * @nodes: number of nodes
 * @job: the job, by node
 * @data: bytes of the broadcast, by node
 * @handle: broadcast in progress, by node, or NULL
 * @plain: copy of the machine's description, without the deposit feature
 */
struct caster {
	struct fake fake;
	unsigned int nodes;
	struct torus_job *job[FAKE_NODES_MAX];
	unsigned char *data[FAKE_NODES_MAX];
	struct torus_broadcast *handle[FAKE_NODES_MAX];
	struct torus_machine plain;
};

struct fake_config caster_shape(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh);
void caster_start(struct caster *machine, const struct fake_config *config,
		  const struct torus_job_config *how);
void caster_without_copies(struct caster *machine);
void caster_stop(struct caster *machine);
void caster_fill(unsigned char *bytes, uint32_t seed, uint32_t length);
struct torus_job_counts caster_counts(struct caster *machine, unsigned int node);
bool caster_takes_part(struct caster *machine, uint32_t root, uint32_t along, uint32_t node);
void caster_begin(struct caster *machine, unsigned int node, uint32_t root, uint32_t along,
		  uint32_t length, uint32_t seed);
unsigned int caster_turn(struct caster *machine, int expected);
void caster_settle(struct caster *machine);
void caster_finish(struct caster *machine, unsigned int running);
void caster_verify(struct caster *machine, unsigned int node, uint32_t length, uint32_t seed);
uint32_t caster_packets(uint32_t length);
void caster_once(struct caster *machine, uint32_t root, uint32_t along, uint32_t length,
		 uint32_t seed);

#endif /* TORUS_TESTS_CASTER_H */
