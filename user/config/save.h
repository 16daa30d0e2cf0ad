/* SPDX-License-Identifier: GPL-2.0 */
/* Write fabrics as lines of torusctl, from which they can be restored. */
#ifndef TORUS_TORUSCTL_SAVE_H
#define TORUS_TORUSCTL_SAVE_H

#include <stdio.h>

#include "ctl.h"

struct json_object;

/**
 * struct save - where a configuration is written
 * @list: list that the lines are added to; NULL: they are written to @out
 * @out: file
 * @dir: directory for files of routing tables; NULL: fabrics that need one are rejected
 */
struct save {
	struct json_object *list;
	FILE *out;
	const char *dir;
};

int save_fabrics(struct ctl *ctl, const char *name, const struct save *save);
int save_file(struct ctl *ctl, const char *name);

#endif
