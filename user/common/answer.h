/* SPDX-License-Identifier: GPL-2.0 */
/* The results that a program prints on standard output; write errors are reported at its end. */
#ifndef TORUS_COMMON_ANSWER_H
#define TORUS_COMMON_ANSWER_H

void torus_answer_begin(void);
void torus_answer_flush(void);
const char *torus_answer_fault(void);
int torus_answer_end(const char *program, int status, int failed);

#endif /* TORUS_COMMON_ANSWER_H */
