/* SPDX-License-Identifier: GPL-2.0 */
/* Find the message that the program asks for. */
#ifndef TORUS_LIB_MESSAGE_H
#define TORUS_LIB_MESSAGE_H

#include "job.h"

int torus_message_find(struct torus_job *job, unsigned int kind, int source, __s64 tag,
		       struct message **message, int timeout_ms);

#endif /* TORUS_LIB_MESSAGE_H */
