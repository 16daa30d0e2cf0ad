// SPDX-License-Identifier: GPL-2.0
/* Text that fits a terminal: a longer picture would push its own beginning off the screen. */
#include <string.h>

#include "crop.h"

/**
 * crop_print - print lines, cut to a terminal's size
 * @out: where
 * @text: the lines, each ended by a newline
 * @rows: lines of the terminal; the last one is left to the cursor
 * @columns: columns of the terminal
 *
 * If there are more lines, the last one printed says so.
 */
void crop_print(FILE *out, const char *text, unsigned int rows, unsigned int columns)
{
	unsigned int lines = 0, room = rows > 2 ? rows - 1 : 1, row;
	const char *at;

	for (at = text; *at; at++)
		lines += *at == '\n';
	for (row = 0; *text; row++) {
		size_t length = strcspn(text, "\n");

		if (lines > room && row + 1 == room) {
			fprintf(out, "%.*s\n", (int)columns, "(more lines than the terminal has)");
			return;
		}
		fprintf(out, "%.*s\n", length < columns ? (int)length : (int)columns, text);
		text += length + (text[length] == '\n');
	}
}
