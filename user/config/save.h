/* SPDX-License-Identifier: GPL-2.0 */
/* Write the configuration of fabrics as torusctl commands, from which it can be restored. */
#ifndef TORUS_TORUSCTL_SAVE_H
#define TORUS_TORUSCTL_SAVE_H

#include <stdio.h>

#include "ctl.h"

struct json_object;

/**
 * struct save - destination of a configuration
 * @list: JSON list that receives the lines; NULL: the lines are written to @out
 * @out: output file
 * @dir: directory for the files of routing tables; NULL: fabrics that need such a file are rejected
 */
struct save {
	struct json_object *list;
	FILE *out;
	const char *dir;
};

int save_fabrics(struct ctl *ctl, const char *name, const struct save *save);
int save_file(struct ctl *ctl, const char *name);

#endif
