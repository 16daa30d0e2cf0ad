/* SPDX-License-Identifier: GPL-2.0 */
/* The exit statuses of torus-run itself. */
#ifndef TORUS_RUN_H
#define TORUS_RUN_H

#define RUN_TIMED_OUT	124	/* exit status: --timeout has passed */
#define RUN_REFUSED	125	/* torus-run itself could not do it */

#endif /* TORUS_RUN_H */
