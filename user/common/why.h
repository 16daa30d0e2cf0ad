/* SPDX-License-Identifier: GPL-2.0 */
/* The reason why a word of a command line or of a file is rejected. */
#ifndef TORUS_COMMON_WHY_H
#define TORUS_COMMON_WHY_H

#include <stdbool.h>

/* maximum bytes of a reason, including the NUL; longer reasons are truncated */
#define PARSE_WHY_MAX	512

/**
 * struct parse_error - the reason why a word is rejected
 * @text: message with the word and the reason
 */
struct parse_error {
	char text[PARSE_WHY_MAX];
};

bool parse_fail(struct parse_error *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* TORUS_COMMON_WHY_H */
