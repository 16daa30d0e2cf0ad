/* SPDX-License-Identifier: GPL-2.0 */
/* Dry run of a configuration, before it changes anything. */
#ifndef TORUS_CONFIG_DRY_RUN_H
#define TORUS_CONFIG_DRY_RUN_H

#include "../netlink/fabric.h"
#include "restore.h"

/**
 * enum restore_how - where a dry run has its fabrics
 * @RESTORE_MODULE: in the module, so that they can be read back
 * @RESTORE_ALONE: in this process
 * @RESTORE_UNIQUE: in this process; if the module is loaded, the name of an existing fabric is an
 *    error
 */
enum restore_how {
	RESTORE_MODULE,
	RESTORE_ALONE,
	RESTORE_UNIQUE,
};

int restore_check(struct ctl *ctl, const char *name, enum restore_how how,
		  struct restore_file *file);
int restore_check_file(struct ctl *ctl, const char *name);
int restore_try_words(struct ctl *ctl, char *const *words, unsigned int count,
		      struct restore_file *file);
int restore_check_words(struct ctl *ctl, char *const *words, unsigned int count);

int restore_copy(struct ctl *call, struct torus_nl *to, const struct torus_nl_fabric *from);
int restore_run(const struct ctl *ctl, const struct restore_file *file,
		const struct restore_line *line);

void restore_remove(const struct restore_file *file);
void restore_free(struct restore_file *file);

#endif
