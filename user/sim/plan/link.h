/* SPDX-License-Identifier: GPL-2.0 */
/* What threads and processes of this machine take to hear of each other. */
#ifndef TORUS_SIM_PLAN_LINK_H
#define TORUS_SIM_PLAN_LINK_H

#include "../options.h"

/**
 * struct plan_link - between those that simulate together
 * @meet_s: of two threads, at a window's end
 * @mail_s: a hop into another part, more than one within
 * @latency_s: of a message from one rank to another
 * @bytes_s: bytes a second, likewise
 * @measured: the last two were; else they were typed
 */
struct plan_link {
	double meet_s;
	double mail_s;
	double latency_s;
	double bytes_s;
	bool measured;
};

int plan_link_threads(struct plan_link *link, const struct sim_options *options,
		      const struct torus_config *config);
int plan_link_ranks(struct plan_link *link);

#endif /* TORUS_SIM_PLAN_LINK_H */
