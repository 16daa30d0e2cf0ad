/* SPDX-License-Identifier: GPL-2.0 */
/* The settings of a sweep: all combinations of the values of --over and --loads. */
#ifndef TORUS_SIM_CMDLINE_SWEEP_AXES_H
#define TORUS_SIM_CMDLINE_SWEEP_AXES_H

#include <stddef.h>

#include "cmdline.h"

#define SIM_AXES_MAX	(SIM_OVERS_MAX + 1)

/**
 * struct sim_axis - a key of a sweep and its values
 * @key: an option's name without dashes, or a key of --set
 * @set: for a key of --set: length of the prefix "KEY=" of each value; 0 for an option
 * @count: number of values
 * @values: array of strings
 * @file: configuration file that contains the values, for messages; NULL: the values are from the
 *        command line
 */
struct sim_axis {
	char key[32];
	size_t set;
	u32 count;
	char **values;
	struct sim_config *file;
};

/**
 * struct sim_axes - the settings of a sweep: all combinations of the axes' values
 * @axis: the axes; the last one varies fastest
 * @count: number of axes; 0: one setting
 * @settings: number of settings
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
