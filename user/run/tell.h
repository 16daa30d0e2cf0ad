/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of torus-run itself. */
#ifndef TORUS_RUN_TELL_H
#define TORUS_RUN_TELL_H

#include "run.h"

void run_tell_by(struct run_stream *to);

#endif
