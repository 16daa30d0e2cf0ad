/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Create and look up struct peer, the state of another rank: header, check and injection FIFO of
 * packets to it.
 */
#ifndef TORUS_LIB_PEER_H
#define TORUS_LIB_PEER_H

#include <stdint.h>

#include "job.h"

void torus_job_header(const struct torus_job *job, unsigned char *header,
		      const unsigned char *machine, unsigned int chunks);
int torus_job_peer(struct torus_job *job, uint32_t rank, struct peer **peer);
unsigned int torus_job_fifo(const struct torus_job *job, unsigned int dir);
void torus_job_seal(struct torus_job *job, uint32_t session);
int torus_send_fifo(struct torus_job *job, const struct peer *peer, unsigned int chunks,
		    unsigned int fifos);

#endif /* TORUS_LIB_PEER_H */
