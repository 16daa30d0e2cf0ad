/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a parameter of a fabric, KEY VALUE. */
#ifndef TORUSCTL_PARAM_H
#define TORUSCTL_PARAM_H

#include "../netlink/fabric.h"
#include "../parse/parse.h"

bool param_word(const char *key, const char *word, struct torus_nl_param *param,
		struct parse_error *why);

#endif /* TORUSCTL_PARAM_H */
