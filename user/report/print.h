/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print a record as text.  The record is a JSON object; a form says how it reads for people.
 *
 * A form is text with tags:
 *
 * {PATH}           the value at KEY or KEY.KEY..: a list joined by commas, null as "-".  A key that
 *                  an element of a list does not have is looked for in the record around the list.
 * {PATH%CONV}      the value by a conversion of printf(3): flags, width, precision and s, u, x, f
 *                  or g.  T is for ns, like "7.05 us"; B for bytes, like "12.3 MiB"; m for a
 *                  message, whose backslashes are not doubled; n for the length of a list
 * {PATH*N%CONV}    the value multiplied by N; {PATH/N%CONV}: divided
 * {?PATH}..{/}     a part that is printed if the value exists and is not null, false, 0 or empty
 * {?PATH=WORD}..{/}  a part that is printed if the value is WORD
 * {+PATH}..{/}     a part that is printed if the value exists and is not null
 * {!..}..{/}       a part that is printed if {?..}..{/} is not
 * {>PATH}..{/}     a part about the value if it exists: its keys come first
 * {#PATH}..{/}     a part for each element of a list or member of an object
 * {|N PATH}..{/}   the same, in lines of at most 96 columns, indented by N blanks
 * {:}              within a part: its rest is printed if the rest before is not
 * {.} {@}          the element itself; its number or key
 * {,}..{/}         within {#PATH}: a part for each element but the first
 *
 * A name from outside is escaped for a terminal.
 */
#ifndef TORUS_REPORT_PRINT_H
#define TORUS_REPORT_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

void report_print(FILE *out, struct json_object *record, const char *form);

const char *report_bytes_text(uint64_t bytes, char *text, size_t size);
const char *report_time_text(double ns, char *text, size_t size);

#define REPORT_TEXT_MAX	32	/* bytes that hold either of the texts above */

#endif /* TORUS_REPORT_PRINT_H */
