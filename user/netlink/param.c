// SPDX-License-Identifier: GPL-2.0
/* Read the parameters of a machine from the loaded module. */
#include <errno.h>

#include "param.h"

static int key_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_key *key = item;

	if (!torus_nl_has(reply, TORUS_A_KEY))
		return -EBADMSG;
	torus_nl_string(reply, TORUS_A_KEY, key->key, sizeof(key->key));
	torus_nl_string(reply, TORUS_A_DEFAULT, key->initial, sizeof(key->initial));
	torus_nl_string(reply, TORUS_A_VALUES, key->values, sizeof(key->values));
	torus_nl_string(reply, TORUS_A_UNIT, key->unit, sizeof(key->unit));
	torus_nl_string(reply, TORUS_A_HELP, key->help, sizeof(key->help));
	key->min = torus_nl_u64(reply, TORUS_A_MINIMUM);
	key->max = torus_nl_u64(reply, TORUS_A_MAXIMUM);
	key->live = torus_nl_has(reply, TORUS_A_LIVE);
	return 0;
}

/**
 * torus_nl_key_dump - list the parameters of a machine
 * @arch: name of the machine
 * @keys: [out] array, freed by the caller
 * @count: [out] number of parameters
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_key_dump(struct torus_nl *nl, const char *arch, struct torus_nl_key **keys,
		      size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**keys), .parse = key_parse };
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_PARAM_GET, NULL);
	int error;

	if (msg && nla_put_string(msg, TORUS_A_ARCH, arch)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_dump(nl, msg, &list);
	*keys = list.items;
	*count = list.count;
	return error;
}
