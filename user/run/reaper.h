/* SPDX-License-Identifier: GPL-2.0 */
/* Kill the processes that outlive the ranks. */
#ifndef TORUS_RUN_REAPER_H
#define TORUS_RUN_REAPER_H

unsigned int run_reap(void);

#endif /* TORUS_RUN_REAPER_H */
