/* SPDX-License-Identifier: GPL-2.0 */
/* Injection rings: reserve, write, commit and publish chunks, and wait for free space. */
#ifndef TORUS_LIB_INJECT_H
#define TORUS_LIB_INJECT_H

#include "context.h"

int torus_inject_find(struct torus_context *context, int fifo, unsigned int chunks,
		      unsigned int fifos);
int torus_inject_reserve(struct torus_context *context, unsigned int fifo, unsigned int chunks);
unsigned char *torus_inject_place(const struct torus_context *context, unsigned int fifo,
				  size_t bytes);
void torus_inject_put(struct torus_context *context, unsigned int fifo, size_t offset,
		      const void *data, size_t bytes);
void torus_inject_commit(struct torus_context *context, unsigned int fifo, unsigned int chunks);
int torus_inject_publish(struct torus_context *context);
bool torus_inject_normal(const struct torus_context *context, unsigned int fifo);
unsigned int torus_inject_spread(const struct torus_context *context, unsigned int choice);
bool torus_inject_wait_begin(struct torus_context *context, bool *more);
void torus_inject_wait_end(struct torus_context *context);

#endif /* TORUS_LIB_INJECT_H */
