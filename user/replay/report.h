/* SPDX-License-Identifier: GPL-2.0 */
/* Print the results of a replay as text or as JSON, and compute the exit status. */
#ifndef TORUS_REPLAY_REPORT_H
#define TORUS_REPLAY_REPORT_H

#include "run.h"

void replay_print(const struct replay_ranks *app, u32 threads, const struct replay_result *result,
		  bool json);
int replay_status(const struct replay_ranks *app, const struct replay_result *result);

#endif /* TORUS_REPLAY_REPORT_H */
