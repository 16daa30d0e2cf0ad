/* SPDX-License-Identifier: GPL-2.0 */
/* Draw views of a Tofu machine as an SVG picture. */
#ifndef TORUSCTL_ROUTESHAPESDRAW_H
#define TORUSCTL_ROUTESHAPESDRAW_H

#include "../../route/tofu/view.h"
#include "../../config/ctl.h"

/**
 * struct shapes_picture - an SVG file with the three rings of each view
 * @path: name of the file
 * @out: the open file; NULL before the first view
 * @failed: true if the file cannot be written
 * @top: vertical position of the next view
 */
struct shapes_picture {
	const char *path;
	FILE *out;
	bool failed;
	u32 top;
};

void shapes_picture_add(struct ctl *ctl, struct shapes_picture *picture, const char *name,
			const struct tofu_view *view);
void shapes_picture_discard(struct shapes_picture *picture);
bool shapes_picture_close(struct ctl *ctl, struct shapes_picture *picture);

#endif /* TORUSCTL_ROUTESHAPESDRAW_H */
