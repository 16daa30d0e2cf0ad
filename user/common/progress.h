/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Progress of each rank while the job is opened. The ranks write their progress, and torus-run
 * reads it. Programs that torus-run has not started write nothing.
 */
#ifndef TORUS_COMMON_PROGRESS_H
#define TORUS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TORUS_PROGRESS_VARIABLE	"TORUS_PROGRESS"

/**
 * enum torus_progress - progress of a rank in opening the job
 * @TORUS_PROGRESS_NONE: torus_job_open() has not been called, or has failed
 * @TORUS_PROGRESS_OPENING: torus_job_open() is waiting for other ranks
 * @TORUS_PROGRESS_JOINED: torus_job_open() has returned the job
 */
enum torus_progress {
	TORUS_PROGRESS_NONE,
	TORUS_PROGRESS_OPENING,
	TORUS_PROGRESS_JOINED,
};

int torus_progress_open(uint32_t key, uint32_t ranks);
const char *torus_progress_path(int fd, char *text, size_t size);
bool torus_progress_read(int fd, uint8_t *progress, uint32_t ranks);
void torus_progress_note(enum torus_progress progress);

#endif /* TORUS_COMMON_PROGRESS_H */
