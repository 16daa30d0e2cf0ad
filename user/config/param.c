// SPDX-License-Identifier: GPL-2.0
/* Parse a parameter of a fabric: KEY VALUE. */
#include <errno.h>
#include <string.h>

#include "core/base/parse_number.h"
#include "param.h"

/**
 * param_word - make a parameter of a fabric from its text
 * @key: name of the parameter
 * @word: value of the parameter
 * @param: [out] the parameter
 * @why: [out] reason for a rejection
 *
 * Checks only the lengths, and that a number fits into 64 bits. The module knows the keys, their
 * units and limits, and parses the value.
 *
 * Return: false if the text is rejected.
 */
bool param_word(const char *key, const char *word, struct torus_nl_param *param,
		struct parse_error *why)
{
	__u64 number;

	*param = (struct torus_nl_param){ .is_text = true };
	if (!*key || strlen(key) >= sizeof(param->key))
		return parse_fail(why, "%s: the name of a parameter must have 1 to %zu bytes", key,
				  sizeof(param->key) - 1);
	if (!*word || strlen(word) >= sizeof(param->text))
		return parse_fail(why, "%s %s: the value must have 1 to %zu bytes", key, word,
				  sizeof(param->text) - 1);
	if (torus_parse_number(word, &number) == -ERANGE)
		return parse_fail(why, "%s %s: must fit into 64 bits", key, word);
	strcpy(param->key, key);
	strcpy(param->text, word);
	return true;
}
