/* SPDX-License-Identifier: GPL-2.0 */
/* What the sources of libtofucom share: names of functions, errors in words. */
#ifndef TOFU_API_H
#define TOFU_API_H

#include <utofu.h>
#include <utofu_profile.h>

/*
 * Behind a function of utofu.h: its second name.  The first one gives way to a profiling
 * library's function of that name, also where both are linked statically.
 */
#define TOFU_PROFILE(name) \
	_Pragma(TOFU_WEAK(utofu_##name)) \
	extern __typeof__(utofu_##name) putofu_##name \
		__attribute__((alias("utofu_" #name)))
#define TOFU_WEAK(name)	TOFU_TEXT(weak name)
#define TOFU_TEXT(text)	#text

#define TOFU_ERROR_MAX	1024	/* bytes of the buffer of a caller of utofu_get_last_error() */

void utofu_get_last_error(const char *text);
int tofu_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
