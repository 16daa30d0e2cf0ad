/* SPDX-License-Identifier: GPL-2.0 */
/* Dry run of a configuration in a temporary network namespace, before it changes anything. */
#ifndef TORUS_CONFIG_DRY_RUN_H
#define TORUS_CONFIG_DRY_RUN_H

#include "restore.h"

int restore_check(struct ctl *ctl, const char *name, bool anew, struct restore_file *file);

int restore_run(const struct ctl *ctl, const struct restore_file *file,
		const struct restore_line *line);

void restore_remove(struct torus_nl *nl, const struct restore_file *file, size_t lines);
void restore_free(struct restore_file *file);

#endif
