// SPDX-License-Identifier: GPL-2.0
/*
 * Crop text to the size of a terminal. More lines than the terminal has would scroll the first
 * lines off the screen.
 */
#include <string.h>

#include "crop.h"

/**
 * crop_print - print lines, cropped to the size of a terminal
 * @text: lines, each terminated by a newline
 * @rows: rows of the terminal; the last row is left for the cursor
 * @columns: columns of the terminal
 *
 * If lines are omitted, the last printed line says so.
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
