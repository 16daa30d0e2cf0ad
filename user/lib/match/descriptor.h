/* SPDX-License-Identifier: GPL-2.0 */
/* The descriptor on which a program sleeps until a matching needs a call. */
#ifndef TORUS_LIB_MATCH_DESCRIPTOR_H
#define TORUS_LIB_MATCH_DESCRIPTOR_H

#include "match.h"

void torus_match_wake(struct torus_match *match);
void torus_match_fd_close(struct torus_match *match);

#endif /* TORUS_LIB_MATCH_DESCRIPTOR_H */
