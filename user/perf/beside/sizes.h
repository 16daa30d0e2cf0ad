/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_PERF_SIZES_H
#define TORUS_PERF_SIZES_H

#include <stdbool.h>
#include <linux/types.h>

/**
 * struct sizes - lengths of messages, in the order in which they are tried
 * @bytes: the lengths
 * @count: their number
 */
struct sizes {
	__u32 *bytes;
	unsigned int count;
};

bool size_number(const char *word, const char *end, unsigned long most, __u32 *value);
bool sizes_add(struct sizes *sizes, __u32 bytes);
int sizes_read(struct sizes *sizes, const char *list, __u32 least, __u32 most);

#endif /* TORUS_PERF_SIZES_H */
