/* SPDX-License-Identifier: GPL-2.0 */
/* Options of torus-demo. */
#ifndef TORUS_DEMO_OPTIONS_H
#define TORUS_DEMO_OPTIONS_H

#include "demo.h"

extern struct options options;

void options_parse(int argc, char **argv);

#endif
