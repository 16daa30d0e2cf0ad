/* SPDX-License-Identifier: GPL-2.0 */
/* End operations: add their events to the queue. */
#ifndef TORUS_LIB_MATCH_EVENT_H
#define TORUS_LIB_MATCH_EVENT_H

#include "match.h"

void torus_match_send_end(struct torus_match *match, struct match_send *send, int error);
void torus_match_receive_end(struct torus_match *match, struct match_receive *receive,
			     const struct match_message *message, int error);

#endif /* TORUS_LIB_MATCH_EVENT_H */
