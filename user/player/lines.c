// SPDX-License-Identifier: GPL-2.0
/* Read a trace line by line. A line that begins with "{" is JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lines.h"
#include "text.h"

static bool read_line(struct player_record *record, char *line, size_t length,
		      struct parse_error *why)
{
	if (strlen(line) != length)
		return parse_fail(why, "a NUL byte: must be text");
	if (length && line[length - 1] == '\n')
		line[length - 1] = '\0';
	return *line == '{' ? player_json_line(record, line, why) :
			      player_text_line(record, line, why);
}

/**
 * player_read - read a trace
 * @record: [in, out] the record, without events; player_record_free() frees it in any case
 * @path: name of the file
 * @why: [out] reason for a rejection, with the number of a rejected line
 *
 * Return: false if the file cannot be read, if a line is rejected, or if player_record_check()
 * rejects the record.
 */
bool player_read(struct player_record *record, const char *path, struct parse_error *why)
{
	FILE *file = fopen(path, "re");
	struct parse_error reason;
	unsigned long at = 0;
	char *line = NULL;
	bool good = true;
	size_t size = 0;
	ssize_t length;

	if (!file)
		return parse_fail(why, "%s", strerror(errno));
	errno = 0;
	while (good && (length = getline(&line, &size, file)) >= 0) {
		at++;
		good = read_line(record, line, (size_t)length, &reason);
		errno = 0;
	}
	if (!good)
		parse_fail(why, "line %lu: %s", at, reason.text);
	else if (!feof(file))
		good = parse_fail(why, "%s", strerror(errno ? errno : EIO));
	free(line);
	fclose(file);
	return good && player_record_check(record, why);
}
