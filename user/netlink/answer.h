/* SPDX-License-Identifier: GPL-2.0 */
/* Answers of this process to requests of a session, in place of those of the module. */
#ifndef TORUS_NL_ANSWER_H
#define TORUS_NL_ANSWER_H

#include "session.h"

struct nl_msg *torus_nl_answer_new(void);
int torus_nl_answer_send(struct torus_nl_request *request, struct nl_msg *msg, int error);

#endif /* TORUS_NL_ANSWER_H */
