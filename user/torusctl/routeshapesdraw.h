/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTESHAPESDRAW_H
#define TORUSCTL_ROUTESHAPESDRAW_H

#include "../route/tofu/view.h"
#include "ctl.h"

/**
 * struct shapes_picture - an SVG of views, three rings each
 * @path: the file
 * @out: the file, open
 * @top: where the next view begins
 */
struct shapes_picture {
	const char *path;
	FILE *out;
	u32 top;
};

bool shapes_picture_open(struct ctl *ctl, struct shapes_picture *picture, const char *path);
void shapes_picture_add(struct shapes_picture *picture, const char *name,
			const struct tofu_view *view);
bool shapes_picture_close(struct ctl *ctl, struct shapes_picture *picture);

#endif /* TORUSCTL_ROUTESHAPESDRAW_H */
