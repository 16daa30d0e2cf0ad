/* SPDX-License-Identifier: GPL-2.0 */
/* Send matched messages: eager ones, announcements and their data, grants and credits. */
#ifndef TORUS_LIB_MATCH_OUTGOING_H
#define TORUS_LIB_MATCH_OUTGOING_H

#include "match.h"

void torus_match_head_write(unsigned char *at, const struct match_head *head, uint32_t number,
			    uint32_t length);
bool torus_match_head_read(const unsigned char *at, struct match_head *head, uint32_t number,
			   uint32_t length);
int torus_match_control(struct torus_match *match, uint32_t rank, const struct match_head *head);
int torus_match_granted(struct torus_match *match, struct match_peer *peer, uint32_t id,
			uint32_t length);
void torus_match_credited(struct match_peer *peer, uint32_t bytes);
void torus_match_announce_lost(struct torus_match *match, struct match_peer *peer, uint32_t id);
int torus_match_repeat(struct torus_match *match, const struct match_loss *loss);
void torus_match_sends_gone(struct torus_match *match);
void torus_match_sends_fail(struct torus_match *match, int error);

#endif /* TORUS_LIB_MATCH_OUTGOING_H */
