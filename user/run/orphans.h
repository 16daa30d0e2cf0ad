/* SPDX-License-Identifier: GPL-2.0 */
/* Kill the processes that outlive the ranks. */
#ifndef TORUS_RUN_ORPHANS_H
#define TORUS_RUN_ORPHANS_H

unsigned int run_orphans_kill(void);

#endif /* TORUS_RUN_ORPHANS_H */
