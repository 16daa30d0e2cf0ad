/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print a record as text or as JSON. The record is a JSON object; a form describes the text.
 *
 * A form is text with tags:
 *
 * {PATH}           print the value at KEY or KEY.KEY..: a list joined by commas, null as "-". A
 *                  key that an element of a list lacks is looked up in the record around the list.
 * {PATH%CONV}      print the value by a conversion of printf(3): flags, width, precision, and one
 *                  of s, u, x, f, g; or by one of these:
 *                  T: a time in ns, like "7.05 us"
 *                  B: an amount of memory in bytes, like "12.3 MiB"
 *                  m: a message, whose backslashes are not doubled
 *                  n: the length of a list
 * {PATH*N%CONV}    multiply the value by N before the conversion f, g or T
 * {PATH/N%CONV}    divide the value by N before it
 *
 * A part ends with {/}. It may have an alternative after {:}, which is printed if the part is
 * not.
 *
 * {?PATH}..{/}     print the part if the value exists and is not null, false, 0 or empty
 * {?PATH=WORD}..{/}  print the part if the value exists and its text is WORD
 * {!PATH}..{/}     print the part if {?PATH} would not; {!PATH=WORD} in the same way
 * {+PATH}..{/}     print the part if the value exists and is not null
 * {>PATH}..{/}     print the part if the value exists and is not null; keys are looked up in the
 *                  value first
 * {#PATH}..{/}     print the part for each element of a list or member of an object; the
 *                  alternative if there is none
 * {|N PATH}..{/}   the same, in lines of at most 96 columns, indented by N blanks
 * {.}              print the element itself; each PATH above may be . to mean the element
 * {@}              print the number of the element, from 0, or the key of the member
 * {_N}..{/}        print the part in at least N columns; left-aligned if N is negative
 * {,}..{/}         within {#PATH}: print the part for each element except the first
 *
 * Control characters in values are escaped, so that names from outside cannot control a
 * terminal.
 */
#ifndef TORUS_REPORT_PRINT_H
#define TORUS_REPORT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

void report_print(FILE *out, struct json_object *record, const char *form);
void report_print_json(struct json_object *record, bool pretty);
void report_item(struct json_object *list, struct json_object *record, const char *form);

const char *report_time_text(double ns, char *text, size_t size);

/* maximum bytes of a text of report_time_text(), or of an amount of memory */
#define REPORT_TEXT_MAX	32

#endif /* TORUS_REPORT_PRINT_H */
