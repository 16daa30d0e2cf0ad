// SPDX-License-Identifier: GPL-2.0
/* Error text of the last failed call of each thread. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../common/escape.h"
#include "api.h"

static __thread char error_text[TOFU_ERROR_MAX] = "no call has failed in this thread";

/**
 * tofu_error - set the calling thread's error text
 * @code: enum utofu_return_code
 * @format: printf format of the reason, which includes the wrong value
 *
 * Return: @code.
 */
int tofu_error(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	torus_escape_vformat(error_text, sizeof(error_text), format, args);
	va_end(args);
	return code;
}

/**
 * utofu_get_last_error - get the reason of the calling thread's last failure
 * @text: [out] buffer of 1024 bytes for one line; it is written although uTofu declares it const
 */
void utofu_get_last_error(const char *text)
{
	if (text)
		memcpy((char *)(uintptr_t)text, error_text, sizeof(error_text));
}
