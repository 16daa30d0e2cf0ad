/* SPDX-License-Identifier: GPL-2.0 */
/* Report lost packets to their receivers, and repeat lost grants and credits. */
#ifndef TORUS_LIB_MATCH_LOSS_H
#define TORUS_LIB_MATCH_LOSS_H

#include "match.h"

struct flight;

void torus_match_lost(struct torus_match *match, const struct flight *flight);
void torus_match_losses_report(struct torus_match *match);
void torus_match_losses_free(struct torus_match *match);

#endif /* TORUS_LIB_MATCH_LOSS_H */
