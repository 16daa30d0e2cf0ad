/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros and error texts of all sources of libtofucom, including the second name of each function
 * of uTofu.
 */
#ifndef TOFU_API_H
#define TOFU_API_H

#include <utofu.h>
#include <utofu_profile.h>

/*
 * Define the second name of a function of utofu.h.  The first name is a weak symbol.  So a
 * profiling library can define a function with the first name, even if both libraries are linked
 * statically.
 */
#define TOFU_PROFILE(name) \
	_Pragma(TOFU_WEAK(utofu_##name)) \
	extern __typeof__(utofu_##name) putofu_##name \
		__attribute__((alias("utofu_" #name)))
#define TOFU_WEAK(name)	TOFU_TEXT(weak name)
#define TOFU_TEXT(text)	#text

/* bytes of the buffer that a caller passes to utofu_get_last_error() */
#define TOFU_ERROR_MAX	1024

void utofu_get_last_error(const char *text);
int tofu_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
