/* SPDX-License-Identifier: GPL-2.0 */
/* Reassemble packets into messages, and take messages out of the job's lists. */
#ifndef TORUS_LIB_REASSEMBLY_H
#define TORUS_LIB_REASSEMBLY_H

#include <stdint.h>

#include "job.h"

#define DRAIN_BUDGET	64	/* most packets received before packets are sent again */

int torus_reassembly_drain(struct torus_job *job);
int torus_reassembly_local(struct torus_job *job, unsigned int kind, uint32_t tag,
			   const void *data, uint32_t length);
bool torus_reassembly_fits(struct torus_job *job, const struct torus_view *view,
			   const struct packet_fields *fields, uint32_t *part);
void torus_message_unlink(struct message_list *list, struct message *message);
void torus_message_taken(struct torus_job *job, struct message *message);

#endif /* TORUS_LIB_REASSEMBLY_H */
