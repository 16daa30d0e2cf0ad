/* SPDX-License-Identifier: GPL-2.0 */
/* The option -o: print each record in one line. */
#ifndef TORUS_TORUSCTL_ONELINE_H
#define TORUS_TORUSCTL_ONELINE_H

void output_oneline(void);
void output_multiline(void);
int output_flush(void);

#endif
