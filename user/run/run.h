/* SPDX-License-Identifier: GPL-2.0 */
/* Exit statuses of torus-run itself. */
#ifndef TORUS_RUN_H
#define TORUS_RUN_H

#define RUN_TIMED_OUT	124	/* exit status if the job exceeded --timeout */
/* exit status if torus-run failed before or while running the job */
#define RUN_REFUSED	125
/* exit statuses if a program cannot be executed, or is not found, as in env(1) */
#define RUN_NO_EXEC	126
#define RUN_NO_FILE	127

#endif /* TORUS_RUN_H */
