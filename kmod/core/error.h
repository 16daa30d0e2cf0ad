/* SPDX-License-Identifier: GPL-2.0 */
/* Error message of a rejected request: an errno, the value and the reason. */
#ifndef TORUS_CORE_ERROR_H
#define TORUS_CORE_ERROR_H

#include "core/platform.h"

/**
 * struct torus_error - reason why a request was rejected
 * @code: negative errno
 * @text: one line for the user: the value and the reason
 */
struct torus_error {
	int code;
	char text[160];
};

/**
 * torus_fail() - fill in an error and return its code
 * @err: [out] the error; may be NULL
 * @errno_: positive errno
 *
 * Return: the negative errno.
 */
#define torus_fail(err, errno_, ...)						\
({										\
	struct torus_error *_e = (err);						\
										\
	if (_e) {								\
		_e->code = -(errno_);						\
		scnprintf(_e->text, sizeof(_e->text), __VA_ARGS__);		\
	}									\
	-(errno_);								\
})

#define TORUS_RATIO_MAX	16	/* bytes of torus_ratio_text() */

/**
 * torus_ratio_text() - print a load, share or pacing for an error message, as users type it
 * @fraction: fixed point with 32 binary places
 * @text: [out] number with three decimal places
 * @size: bytes in @text
 *
 * Rounded up, so that a value just above a limit is not printed as the limit itself.
 *
 * Return: @text.
 */
torus_inline const char *torus_ratio_text(u64 fraction, char *text, size_t size)
{
	u32 part = (u32)(((fraction & 0xffffffff) * 1000 + 0xffffffff) >> 32);

	scnprintf(text, size, "%u.%03u", (u32)(fraction >> 32) + part / 1000, part % 1000);
	return text;
}

#endif
