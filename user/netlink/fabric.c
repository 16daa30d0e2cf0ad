// SPDX-License-Identifier: GPL-2.0
/* Create, describe, change and delete fabrics. */
#include <errno.h>
#include <string.h>

#include "fabric.h"

static int fabric_put_params(struct nl_msg *msg, const struct torus_nl_param *params, size_t count)
{
	struct nlattr *nest;
	size_t i;
	int error = 0;

	for (i = 0; i < count && !error; i++) {
		nest = nla_nest_start(msg, TORUS_A_PARAM);
		if (!nest)
			return -1;
		error = nla_put_string(msg, TORUS_A_KEY, params[i].key);
		if (!error && params[i].is_text)
			error = nla_put_string(msg, TORUS_A_TEXT, params[i].text);
		else if (!error)
			error = nla_put_u64(msg, TORUS_A_VALUE, params[i].value);
		nla_nest_end(msg, nest);
	}
	return error;
}

/*
 * Return the message, or free it after an error and return NULL. torus_nl_do() reports NULL as lack
 * of memory.
 */
static struct nl_msg *fabric_checked(struct nl_msg *msg, int error)
{
	if (!error)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static void fabric_parse_param(struct nlattr *nest, struct torus_nl_param *param)
{
	struct nlattr *attr;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		switch (nla_type(attr)) {
		case TORUS_A_KEY:
			nla_strlcpy(param->key, attr, sizeof(param->key));
			break;
		case TORUS_A_TEXT:
			nla_strlcpy(param->text, attr, sizeof(param->text));
			break;
		case TORUS_A_UNIT:
			nla_strlcpy(param->unit, attr, sizeof(param->unit));
			break;
		case TORUS_A_DEFAULT:
			nla_strlcpy(param->initial, attr, sizeof(param->initial));
			break;
		case TORUS_A_LIVE:
			param->live = true;
			break;
		case TORUS_A_VALUE:
			if (nla_len(attr) >= (int)sizeof(uint64_t))
				param->value = nla_get_u64(attr);
			break;
		}
	}
}

/**
 * torus_nl_fabric_params - read the parameters of a fabric from a message
 * @params: [out] array of TORUS_NL_PARAMS_MAX
 * @count: [out] number of parameters
 */
void torus_nl_fabric_params(const struct torus_nl_reply *reply, struct torus_nl_param *params,
			    size_t *count)
{
	struct nlattr *attr;
	int rest;

	*count = 0;
	nla_for_each_attr(attr, reply->first, reply->length, rest)
		if (nla_type(attr) == TORUS_A_PARAM && *count < TORUS_NL_PARAMS_MAX)
			fabric_parse_param(attr, &params[(*count)++]);
}

/**
 * torus_nl_fabric_param - get the value of a fabric's parameter
 * @key: name of the parameter
 *
 * Return: the value as text; "" if the module sent no text for it, or if the fabric has no such
 * parameter.
 */
const char *torus_nl_fabric_param(const struct torus_nl_fabric *fabric, const char *key)
{
	size_t i;

	for (i = 0; i < fabric->nparams; i++)
		if (!strcmp(fabric->params[i].key, key))
			return fabric->params[i].text;
	return "";
}

/* Read from a message the program for which virtual time waits, if there is such a program. */
static int fabric_parse_time_held(const struct torus_nl_reply *reply,
				  struct torus_nl_fabric *fabric)
{
	struct torus_nl_reply held;

	if (!torus_nl_has(reply, TORUS_A_TIME_HELD))
		return 0;
	if (torus_nl_nest(reply, TORUS_A_TIME_HELD, &held))
		return -EBADMSG;
	fabric->time_held = true;
	fabric->time_held_at = torus_nl_u64(&held, TORUS_A_CLOCK);
	fabric->time_held_ms = torus_nl_u64(&held, TORUS_A_VALUE);
	return torus_nl_context_read(&held, &fabric->time_holder);
}

/* Read from a message who paused the fabric, and why it has stopped, if it is paused. */
static int fabric_parse_paused(const struct torus_nl_reply *reply, struct torus_nl_fabric *fabric)
{
	struct torus_nl_pause *pause = &fabric->pause;
	struct torus_nl_reply nest;

	if (!torus_nl_has(reply, TORUS_A_PAUSED))
		return 0;
	if (torus_nl_nest(reply, TORUS_A_PAUSED, &nest))
		return -EBADMSG;
	fabric->paused = true;
	pause->uid = torus_nl_u32(&nest, TORUS_A_UID);
	pause->pid = torus_nl_u32(&nest, TORUS_A_PID);
	torus_nl_string(&nest, TORUS_A_COMMAND, pause->command, sizeof(pause->command));
	torus_nl_string(&nest, TORUS_A_TEXT, pause->why, sizeof(pause->why));
	return 0;
}

static int fabric_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_fabric *fabric = item;
	size_t sent;
	int error;

	torus_nl_string(reply, TORUS_A_FABRIC, fabric->name, sizeof(fabric->name));
	torus_nl_string(reply, TORUS_A_ARCH, fabric->arch, sizeof(fabric->arch));
	sent = torus_nl_binary(reply, TORUS_A_DIMS, fabric->dims, sizeof(fabric->dims));
	if (!sent || sent > sizeof(fabric->dims))
		return -EBADMSG;
	fabric->ndims = sent / sizeof(fabric->dims[0]);
	sent = torus_nl_binary(reply, TORUS_A_SHAPE, fabric->shape, sizeof(fabric->shape));
	if (sent > sizeof(fabric->shape))
		return -EBADMSG;
	fabric->nshape = sent / sizeof(fabric->shape[0]);
	fabric->mesh = torus_nl_u32(reply, TORUS_A_MESH);
	fabric->nodes = torus_nl_u32(reply, TORUS_A_NODES);
	fabric->numbered = torus_nl_binary(reply, TORUS_A_NUMBERING, &fabric->numbering,
					   sizeof(fabric->numbering)) ==
			   sizeof(fabric->numbering);
	fabric->seed = torus_nl_u64(reply, TORUS_A_SEED);
	fabric->domains = torus_nl_u32(reply, TORUS_A_DOMAINS);
	fabric->watched = torus_nl_has(reply, TORUS_A_CLOCK);
	fabric->clock = torus_nl_u64(reply, TORUS_A_CLOCK);
	fabric->tick_fs = torus_nl_u64(reply, TORUS_A_TICK_FS);
	fabric->in_flight = torus_nl_u64(reply, TORUS_A_IN_FLIGHT);
	fabric->routes_wait = torus_nl_has(reply, TORUS_A_ROUTES_AT);
	fabric->routes_at = torus_nl_u64(reply, TORUS_A_ROUTES_AT);
	torus_nl_string(reply, TORUS_A_VCS, fabric->vcs, sizeof(fabric->vcs));
	torus_nl_string(reply, TORUS_A_DROPS, fabric->drops, sizeof(fabric->drops));
	fabric->memory = torus_nl_u64(reply, TORUS_A_MEMORY);
	fabric->state = torus_nl_u32(reply, TORUS_A_STATE);
	fabric->contexts = torus_nl_u32(reply, TORUS_A_CONTEXTS);
	torus_nl_fabric_params(reply, fabric->params, &fabric->nparams);
	error = fabric_parse_paused(reply, fabric);
	return error ? error : fabric_parse_time_held(reply, fabric);
}

/**
 * torus_nl_fabric_add - create a fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_add(struct torus_nl *nl, const struct torus_nl_fabric_spec *spec)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_FABRIC_ADD, spec->name);
	int error;

	if (!msg)
		return torus_nl_do(nl, NULL, NULL, NULL);
	error = nla_put_string(msg, TORUS_A_ARCH, spec->arch) ||
		nla_put(msg, TORUS_A_DIMS, spec->ndims * sizeof(spec->dims[0]), spec->dims) ||
		nla_put_u32(msg, TORUS_A_MESH, spec->mesh) ||
		(spec->has_seed && nla_put_u64(msg, TORUS_A_SEED, spec->seed)) ||
		(spec->has_domains && nla_put_u32(msg, TORUS_A_DOMAINS, spec->domains)) ||
		(spec->tied && nla_put_flag(msg, TORUS_A_TIED)) ||
		fabric_put_params(msg, spec->params, spec->nparams);
	return torus_nl_do(nl, fabric_checked(msg, error), NULL, NULL);
}

/**
 * torus_nl_fabric_get - describe a fabric
 * @name: name of the fabric
 * @fabric: [out] the description
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_get(struct torus_nl *nl, const char *name, struct torus_nl_fabric *fabric)
{
	*fabric = (struct torus_nl_fabric){ .nparams = 0 };
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_GET, name),
			   fabric_parse, fabric);
}

/**
 * torus_nl_fabric_dump - describe all fabrics of this network namespace
 * @fabrics: [out] array, freed by the caller
 * @count: [out] number of fabrics
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_dump(struct torus_nl *nl, struct torus_nl_fabric **fabrics, size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**fabrics), .parse = fabric_parse };
	int error = torus_nl_dump(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_GET, NULL), &list);

	*fabrics = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_fabric_set - change parameters of a fabric
 * @name: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_set(struct torus_nl *nl, const char *name,
			const struct torus_nl_param *params, size_t nparams)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_FABRIC_SET, name);

	if (msg)
		msg = fabric_checked(msg, fabric_put_params(msg, params, nparams));
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_fabric_reset - reset a fabric to its first tick
 * @name: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_reset(struct torus_nl *nl, const char *name)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_RESET, name), NULL, NULL);
}

/**
 * torus_nl_fabric_pause - pause a fabric; no change if it is paused
 * @name: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_pause(struct torus_nl *nl, const char *name)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_PAUSE, name), NULL, NULL);
}

/**
 * torus_nl_fabric_resume - let a paused fabric run again
 * @name: name of the fabric
 *
 * Return: 0, or a negative errno; -EINVAL if the fabric is not paused.
 */
int torus_nl_fabric_resume(struct torus_nl *nl, const char *name)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_RESUME, name), NULL, NULL);
}

/**
 * torus_nl_fabric_del - delete a fabric
 * @name: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fabric_del(struct torus_nl *nl, const char *name)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_FABRIC_DEL, name), NULL, NULL);
}

/**
 * torus_nl_fabric_del_unused - delete a fabric, unless a program uses it
 * @name: name of the fabric
 *
 * Return: 0 or a negative errno; -EBUSY if the fabric is in use.
 */
int torus_nl_fabric_del_unused(struct torus_nl *nl, const char *name)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_FABRIC_DEL, name);

	if (msg)
		msg = fabric_checked(msg, nla_put_flag(msg, TORUS_A_UNUSED));
	return torus_nl_do(nl, msg, NULL, NULL);
}
