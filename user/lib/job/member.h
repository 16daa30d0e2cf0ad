/* SPDX-License-Identifier: GPL-2.0 */
/* The members of a job: their places, and their names in texts. */
#ifndef TORUS_LIB_MEMBER_H
#define TORUS_LIB_MEMBER_H

#include <stdint.h>

#include "job.h"

struct torus_member torus_job_member(const struct torus_job *job, uint32_t rank);
bool torus_job_member_alive(const struct torus_job *job, uint32_t rank);
char *torus_job_place(const struct torus_job *job, uint32_t rank, char text[TORUS_PLACE_MAX]);

#endif /* TORUS_LIB_MEMBER_H */
