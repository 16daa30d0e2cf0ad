/* SPDX-License-Identifier: GPL-2.0 */
/* A refusal: an errno and the words that name the value and the reason. */
#ifndef TORUS_CORE_ERROR_H
#define TORUS_CORE_ERROR_H

#include "core/env.h"

/**
 * struct torus_error - why something was refused
 * @code: negative errno
 * @text: one line for a person: the value and the reason
 */
struct torus_error {
	int code;
	char text[160];
};

/**
 * torus_fail() - fill in a refusal
 * @err: where; may be NULL
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

#define TORUS_RATIO_MAX	16	/* bytes of its text */

/**
 * torus_ratio_text() - a load, share or pacing for a refusal, as it is typed
 * @fraction: with 32 bits behind the point
 * @text: gets it, with three digits behind the point
 * @size: bytes of @text
 *
 * Rounded up, so that what is too much is not told as what is just allowed.
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
