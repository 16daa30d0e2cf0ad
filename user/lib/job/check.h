/* SPDX-License-Identifier: GPL-2.0 */
/* CRC-32s of the packets and messages of a job. */
#ifndef TORUS_LIB_CHECK_H
#define TORUS_LIB_CHECK_H

#include <stdint.h>

#include "job.h"

uint32_t torus_job_check(const struct torus_job *job, uint32_t session, uint32_t dest);
uint32_t torus_message_crc(const struct torus_job *job, uint32_t source, uint32_t dest,
			   uint32_t number, uint32_t tag, const void *data, uint32_t length);

#endif /* TORUS_LIB_CHECK_H */
