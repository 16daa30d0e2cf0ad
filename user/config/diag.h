/* SPDX-License-Identifier: GPL-2.0 */
/* Errors and notes of a call, as text and as JSON. */
#ifndef TORUS_CONFIG_DIAG_H
#define TORUS_CONFIG_DIAG_H

#include "ctl.h"

int ctl_reject(struct ctl *ctl, const char *format, ...) __attribute__((format(printf, 2, 3)));
int ctl_usage(struct ctl *ctl, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ctl_error(const struct ctl *ctl, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

int ctl_connect(struct ctl *ctl);
int ctl_failed(struct ctl *ctl);
void ctl_note(const struct ctl *ctl, const char *text);
int ctl_done(struct ctl *ctl);

void ctl_print_usage(FILE *out, const char *object, const char *command, const char *usage);

#endif
