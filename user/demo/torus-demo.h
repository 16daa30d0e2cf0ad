/* SPDX-License-Identifier: GPL-2.0 */
/* The phases of torus-demo and their progress. */
#ifndef TORUS_DEMO_TORUS_DEMO_H
#define TORUS_DEMO_TORUS_DEMO_H

#include "demo.h"

extern struct shared *shared;

#endif
