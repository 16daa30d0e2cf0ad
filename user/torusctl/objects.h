/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of torusctl, except ctl_route. save, restore and diff are defined in configuration.c,
 * each other object in the source file with its name.
 */
#ifndef TORUS_TORUSCTL_OBJECTS_H
#define TORUS_TORUSCTL_OBJECTS_H

#include "../config/ctl.h"

extern const struct ctl_object ctl_fabric;
extern const struct ctl_object ctl_node;
extern const struct ctl_object ctl_unit;
extern const struct ctl_object ctl_job;
extern const struct ctl_object ctl_reg;
extern const struct ctl_object ctl_link;
extern const struct ctl_object ctl_traffic;
extern const struct ctl_object ctl_counter;
extern const struct ctl_object ctl_health;
extern const struct ctl_object ctl_monitor;
extern const struct ctl_object ctl_capture;
extern const struct ctl_object ctl_record;
extern const struct ctl_object ctl_explain;
extern const struct ctl_object ctl_top;
extern const struct ctl_object ctl_save;
extern const struct ctl_object ctl_restore;
extern const struct ctl_object ctl_diff;

#endif
