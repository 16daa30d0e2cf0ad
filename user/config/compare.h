/* SPDX-License-Identifier: GPL-2.0 */
/* Compare a configuration file with the fabrics that exist. */
#ifndef TORUS_TORUSCTL_COMPARE_H
#define TORUS_TORUSCTL_COMPARE_H

#include "ctl.h"
#include "restore.h"

/**
 * struct config_report - the receiver of differences
 * @line: called with @arg for each line that is in the file only, or in the fabrics only
 * @arg: argument of @line
 */
struct config_report {
	void (*line)(void *arg, bool in_file, const char *text);
	void *arg;
};

int config_compare_there(struct ctl *ctl, const struct restore_file *file,
			 const struct config_report *report, bool *differ);
int config_compare(struct ctl *ctl, const char *name, const char *only,
		   const struct config_report *report);

#endif
