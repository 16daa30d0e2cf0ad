/* SPDX-License-Identifier: GPL-2.0 */
/* Find objects and commands by name, in full or abbreviated. */
#ifndef TORUS_TORUSCTL_LOOKUP_H
#define TORUS_TORUSCTL_LOOKUP_H

#include "ctl.h"

const struct ctl_object *ctl_find_object(struct ctl *ctl, const struct ctl_object *const *objects,
					 const char *word);
const struct ctl_command *ctl_find_command(struct ctl *ctl, const struct ctl_object *object,
					   const char *word);

#endif
