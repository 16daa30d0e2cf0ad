/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of several packets between nodes of a Cray XT. */
#ifndef TORUS_PAPER_XT_MESSAGES_H
#define TORUS_PAPER_XT_MESSAGES_H

#include "xt_work.h"

int paper_xt_messages(const struct paper_xt *work, struct paper_xt_run *run);

#endif
