/* SPDX-License-Identifier: GPL-2.0 */
/* Answer the requests of a student's program, and record them. */
#ifndef TORUS_LAB_SERVE_H
#define TORUS_LAB_SERVE_H

#include <stdio.h>

#include "core/state/fabric.h"

void lab_truth(FILE *record, struct torus_fabric *fabric, u32 node);
void lab_serve(int device, FILE *record, struct torus_fabric *fabric, u32 node);

#endif /* TORUS_LAB_SERVE_H */
