/* SPDX-License-Identifier: GPL-2.0 */
/* Pseudo-random numbers and texts, the same in each run. */
#ifndef TORUS_CORE_TESTS_DRAW_H
#define TORUS_CORE_TESTS_DRAW_H

#include "core/base/random.h"

static u64 draw_seed;

static inline u64 draw(void)
{
	draw_seed++;
	return torus_mix(draw_seed);
}

static inline u32 draw_below(u32 below)
{
	return (u32)(draw() % below);
}

/*
 * Draw a text, most of whose characters occur in numbers. The buffer has exactly the text's size,
 * so that a sanitizer detects reads beyond the end.
 */
static inline char *random_text(void)
{
	static const char parts[] = "0123456789000999..eE+-xXabcdef %\n";
	u32 length = draw_below(draw_below(20) ? 12 : 200);
	char *text = malloc(length + 1);
	u32 i;

	assert_non_null(text);
	for (i = 0; i < length; i++) {
		text[i] = draw_below(50) ? parts[draw_below(sizeof(parts) - 1)] :
					   (char)(1 + draw_below(255));
	}
	text[length] = '\0';
	return text;
}

#endif
