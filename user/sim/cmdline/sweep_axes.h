/* SPDX-License-Identifier: GPL-2.0 */
/* The settings of a sweep: all combinations of the values of --over and --loads. */
#ifndef TORUS_SIM_CMDLINE_SWEEP_AXES_H
#define TORUS_SIM_CMDLINE_SWEEP_AXES_H

#include <stddef.h>

#include "cmdline.h"

#define SIM_AXES_MAX	(SIM_OVERS_MAX + 1)

/**
 * struct sim_axis - a key and the values that it takes
 * @key: an option's name without dashes, or a key of --set
 * @set: "KEY=" stands in front of each value: one of --set
 * @count: number of values
 * @values: texts
 * @file: words of the file where they stand, which messages then name; NULL: they were typed
 */
struct sim_axis {
	char key[32];
	size_t set;
	u32 count;
	char **values;
	struct sim_config *file;
};

/**
 * struct sim_axes - the settings of a sweep: each value of an axis with each of the others'
 * @axis: the last goes fastest
 * @count: of axes; 0: there is one setting
 * @settings: their number
 */
struct sim_axes {
	struct sim_axis axis[SIM_AXES_MAX];
	u32 count;
	u32 settings;
};

int sim_axes_take(struct sim_axes *axes, const struct sim_cmdline *typed);
void sim_axes_free(struct sim_axes *axes);
const char *sim_axes_word(const struct sim_axes *axes, u32 setting, u32 axis);
int sim_axes_apply(const struct sim_axes *axes, u32 setting, struct sim_cmdline *typed);
void sim_axes_name(const struct sim_axes *axes, u32 setting, char *text, size_t size);

#endif /* TORUS_SIM_CMDLINE_SWEEP_AXES_H */
