/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics in this process, which answer the requests of a session in place of the module. */
#ifndef TORUS_REHEARSAL_H
#define TORUS_REHEARSAL_H

#include "core/error.h"
#include "core/run/fabric.h"
#include "core/state/fabric.h"

#include "../netlink/session.h"

/**
 * struct rehearsed_job - a job of a fabric
 * @next: next job
 * @partition: partition of the job's nodes
 */
struct rehearsed_job {
	struct rehearsed_job *next;
	char name[TORUS_NAME_MAX];
	u32 partition;
};

/**
 * struct rehearsed - a fabric
 * @next: next fabric
 * @fabric: the fabric of the core
 * @config: its configuration
 * @owners: user of each node, or NULL; UINT32_MAX: the node has no owner
 * @jobs: list of its jobs
 * @image: routing tables that are being uploaded, or NULL
 * @bytes: size of @image
 * @have: bytes of @image that have arrived
 */
struct rehearsed {
	struct rehearsed *next;
	char name[TORUS_NAME_MAX];
	struct torus_fabric *fabric;
	const struct torus_config *config;
	u32 *owners;
	struct rehearsed_job *jobs;
	char *image;
	u64 bytes;
	u64 have;
};

/**
 * struct rehearsal - a set of fabrics
 * @fabrics: list of the fabrics
 */
struct rehearsal {
	struct rehearsed *fabrics;
};

int rehearsal_refuse(struct torus_nl_request *request, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool rehearsal_has(const struct torus_nl_request *request, enum torus_attr attr);
u32 rehearsal_u32(const struct torus_nl_request *request, enum torus_attr attr);
int rehearsal_node(struct torus_nl_request *request, const struct rehearsed *r, u32 *node);

int rehearsal_answer(void *rehearsal, struct torus_nl_request *request);
struct rehearsal *rehearsal_new(void);
void rehearsal_connect(struct rehearsal *rehearsal, struct torus_nl *nl);
void rehearsal_free(struct rehearsal *rehearsal);

#endif /* TORUS_REHEARSAL_H */
