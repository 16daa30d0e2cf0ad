/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by all sources of libtofucom: the second names of functions, and error texts. */
#ifndef TOFU_API_H
#define TOFU_API_H

#include <utofu.h>
#include <utofu_profile.h>

/*
 * Define the second name of a function of utofu.h.  The first name is weak: a function of that name
 * in a profiling library replaces it, also if both are linked statically.
 */
#define TOFU_PROFILE(name) \
	_Pragma(TOFU_WEAK(utofu_##name)) \
	extern __typeof__(utofu_##name) putofu_##name \
		__attribute__((alias("utofu_" #name)))
#define TOFU_WEAK(name)	TOFU_TEXT(weak name)
#define TOFU_TEXT(text)	#text

#define TOFU_ERROR_MAX	1024	/* bytes of the caller's buffer of utofu_get_last_error() */

void utofu_get_last_error(const char *text);
int tofu_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
