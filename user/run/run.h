/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_RUN_H
#define TORUS_RUN_H

#define RUN_TIMED_OUT	124	/* exit status: --timeout has passed */
#define RUN_REFUSED	125	/* torus-run itself could not do it */

struct run_stream;

int run_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* TORUS_RUN_H */
