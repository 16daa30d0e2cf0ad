/* SPDX-License-Identifier: GPL-2.0 */
/* Set up a context from struct torus_ioc_info and mapped memory, without calling the kernel. */
#ifndef TORUS_LIB_ATTACH_H
#define TORUS_LIB_ATTACH_H

#include "context.h"

int torus_context_setup(struct torus_context *context, void *const *inject,
			void *const *receive);

#endif /* TORUS_LIB_ATTACH_H */
