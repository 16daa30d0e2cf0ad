/* SPDX-License-Identifier: GPL-2.0 */
/* CRC-32s of the packets and messages of a job. */
#ifndef TORUS_LIB_CHECK_H
#define TORUS_LIB_CHECK_H

#include "job.h"

__u32 torus_job_check(const struct torus_job *job, __u32 session, __u32 dest);
__u32 torus_message_crc(const struct torus_job *job, __u32 source, __u32 dest, __u32 number,
			__u32 tag, const void *data, __u32 length);

#endif /* TORUS_LIB_CHECK_H */
