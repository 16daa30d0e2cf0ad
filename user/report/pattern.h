/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_REPORT_PATTERN_H
#define TORUS_REPORT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_FILE	"file:"	/* the pattern that stands in a file */

const char *pattern_file(const char *name);
bool pattern_find(const char *name, uint32_t *pattern);
const char *pattern_name(uint32_t pattern);
const char *pattern_each(uint32_t pattern);
size_t pattern_list(char *text, size_t size);

#endif /* TORUS_REPORT_PATTERN_H */
