/* SPDX-License-Identifier: GPL-2.0 */
/* Print the list of objects, and help for an object or a command. */
#ifndef TORUS_TORUSCTL_HELP_H
#define TORUS_TORUSCTL_HELP_H

#include "../config/ctl.h"

extern const struct ctl_object *const ctl_objects[];

int ctl_help(struct ctl *ctl, struct ctl_args *args);
void ctl_help_all(FILE *out);
void ctl_help_object(FILE *out, const struct ctl_object *object);

#endif
