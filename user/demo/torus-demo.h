/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that torus-demo shares with its processes. */
#ifndef TORUS_DEMO_TORUS_DEMO_H
#define TORUS_DEMO_TORUS_DEMO_H

#include "demo.h"

extern struct demo_shared *shared;

#endif
