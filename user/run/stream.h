/* SPDX-License-Identifier: GPL-2.0 */
/* A standard stream that a thread writes, so that its reader never blocks the keeper. */
#ifndef TORUS_RUN_STREAM_H
#define TORUS_RUN_STREAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/**
 * struct run_stream - a standard stream with a buffer
 * @to: descriptor to which the thread writes
 * @wake: eventfd, readable after the thread has written or failed to write
 * @thread: the writer
 * @lock: protects the members below
 * @more: signalled when text was appended to @text
 * @text: buffer of bytes that the thread has not taken yet
 * @used: number of bytes in @text
 * @size: capacity of @text in bytes
 * @writing: number of bytes that the thread has taken but not written yet
 * @error: errno of a failed write, or 0; later text is discarded
 */
struct run_stream {
	int to;
	int wake;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;
	char *text;
	size_t used;
	size_t size;
	size_t writing;
	int error;
};

bool run_stream_open(struct run_stream *stream, int to);
bool run_stream_put(struct run_stream *stream, const struct iovec *parts, int count);
void run_stream_woken(struct run_stream *stream);
bool run_stream_full(struct run_stream *stream);
size_t run_stream_waiting(struct run_stream *stream);
int run_stream_error(struct run_stream *stream);

#endif /* TORUS_RUN_STREAM_H */
