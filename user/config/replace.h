/* SPDX-License-Identifier: GPL-2.0 */
/* Change fabrics that exist to the configuration in a file. */
#ifndef TORUS_CONFIG_REPLACE_H
#define TORUS_CONFIG_REPLACE_H

#include "../route/spec/spec.h"
#include "ctl.h"
#include "restore.h"
#include "side.h"

/**
 * struct replace_side - the configuration of a fabric, from which it can be created again
 * @config: the lines
 * @tables: routing tables; without a map if the machine has none
 */
struct replace_side {
	struct config_side config;
	struct xt_spec tables;
};

/**
 * struct replace - the fabrics that must be changed
 * @changes: array of changes, private to replace.c
 * @count: number of entries in @changes
 */
struct replace {
	struct replace_change *changes;
	size_t count;
};

int replace_read(struct ctl *ctl, const struct restore_file *file, struct replace *replace);
int replace_run(struct ctl *ctl, const struct restore_file *file, const struct replace *replace,
		void (*report)(const char *fabric, const char *format, ...));
void replace_free(struct replace *replace);

int replace_side_read(struct ctl *ctl, struct torus_nl *nl, const char *name,
		      struct replace_side *side);
void replace_side_free(struct replace_side *side);
int replace_undo(struct ctl *ctl, struct replace_side *old);
int replace_delete(struct ctl *ctl, const char *name, const char *fixed);

#endif /* TORUS_CONFIG_REPLACE_H */
