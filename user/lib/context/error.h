/* SPDX-License-Identifier: GPL-2.0 */
/* Error texts: the last failure of the calling thread. */
#ifndef TORUS_LIB_ERROR_H
#define TORUS_LIB_ERROR_H

#include "context.h"

#define TORUS_ERROR_MAX	512	/* bytes of an error text with its NUL */
#define TORUS_SAY_SIGNAL	"interrupted by a signal"
#define TORUS_SAY_TIME		"the time was up first"

int torus_error_set(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));
int torus_error_plain(int error, const char *text);
int torus_error_dead(const struct torus_context *context) __attribute__((cold));

#endif /* TORUS_LIB_ERROR_H */
