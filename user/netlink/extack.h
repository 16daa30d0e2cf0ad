/* SPDX-License-Identifier: GPL-2.0 */
/* Convert an extended acknowledgement of the module to an error message. */
#ifndef TORUS_NL_EXTACK_H
#define TORUS_NL_EXTACK_H

#include <stdbool.h>
#include <stddef.h>

struct nlattr;
struct nlmsghdr;

struct nlattr *torus_nl_extack_attrs(struct nlmsghdr *hdr, int *length);
bool torus_nl_extack(const struct nlmsghdr *request, struct nlattr *first, int length,
		     char *text, size_t size);

#endif /* TORUS_NL_EXTACK_H */
