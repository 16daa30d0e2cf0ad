/* SPDX-License-Identifier: GPL-2.0 */
/* Notices of packets of a context that did not arrive. */
#ifndef TORUS_LIB_COMPLETION_H
#define TORUS_LIB_COMPLETION_H

#include "context.h"

bool torus_notice_waits(const struct torus_context *context);

#endif /* TORUS_LIB_COMPLETION_H */
