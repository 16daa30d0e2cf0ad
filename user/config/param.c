// SPDX-License-Identifier: GPL-2.0
/* A parameter of a fabric: KEY VALUE. */
#include <errno.h>
#include <string.h>

#include "core/base/parse.h"
#include "param.h"

/**
 * param_word - a parameter of a fabric
 * @key: its name
 * @word: its value
 * @param: gets both
 * @why: gets the reason
 *
 * Which keys there are, what they may be and in which unit, is for the module to judge:
 * it reads the value as it was typed.
 *
 * Return: whether it makes sense.
 */
bool param_word(const char *key, const char *word, struct torus_nl_param *param,
		struct parse_error *why)
{
	__u64 number;

	*param = (struct torus_nl_param){ .is_text = true };
	if (!*key || strlen(key) >= sizeof(param->key))
		return parse_fail(why, "%s: a parameter's name has 1 to %zu bytes", key,
				  sizeof(param->key) - 1);
	if (!*word || strlen(word) >= sizeof(param->text))
		return parse_fail(why, "%s %s: a value has 1 to %zu bytes", key, word,
				  sizeof(param->text) - 1);
	if (torus_parse_number(word, &number) == -ERANGE)
		return parse_fail(why, "%s %s: does not fit 64 bits", key, word);
	strcpy(param->key, key);
	strcpy(param->text, word);
	return true;
}
