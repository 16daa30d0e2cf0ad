/* SPDX-License-Identifier: GPL-2.0 */
/* Print messages of torus-run itself. */
#ifndef TORUS_RUN_LOG_H
#define TORUS_RUN_LOG_H

struct run_stream;

int run_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
void run_log_to(struct run_stream *to);

#endif
