/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_PERF_ANSWER_H
#define TORUS_PERF_ANSWER_H

int answered(const char *program);

#endif /* TORUS_PERF_ANSWER_H */
