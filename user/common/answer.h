/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results that a program prints on standard output. Write errors are reported when the program
 * ends.
 */
#ifndef TORUS_COMMON_ANSWER_H
#define TORUS_COMMON_ANSWER_H

void torus_answer_begin(void);
void torus_answer_flush(void);
const char *torus_answer_fault(void);
int torus_answer_end(const char *program, int status, int failed);

#endif /* TORUS_COMMON_ANSWER_H */
