/* SPDX-License-Identifier: GPL-2.0 */
/* Record the actions of a program in virtual time for `torus-sim rerun`. */
#ifndef TORUS_LIB_RECORDER_H
#define TORUS_LIB_RECORDER_H

#include "context.h"

int torus_record_attach(struct torus_context *context, bool priority);
int torus_record_check(void);
void torus_record_inject(const struct torus_context *context, unsigned int fifo);
void torus_record_look(const struct torus_context *context);
void torus_record_detach(struct torus_context *context, bool last);

#endif /* TORUS_LIB_RECORDER_H */
