/* SPDX-License-Identifier: GPL-2.0 */
/* Names of objects and commands, and their help. */
#ifndef TORUS_TORUSCTL_HELP_H
#define TORUS_TORUSCTL_HELP_H

#include "ctl.h"

extern const struct ctl_object *const ctl_objects[];

int ctl_help(struct ctl *ctl, struct ctl_args *args);
void ctl_help_all(FILE *out);
void ctl_help_object(FILE *out, const struct ctl_object *object);
const struct ctl_object *ctl_find_object(struct ctl *ctl, const char *word);
const struct ctl_command *ctl_find_command(struct ctl *ctl, const struct ctl_object *object,
					   const char *word);

#endif
