// SPDX-License-Identifier: GPL-2.0
/* Create, describe, change and delete a fabric of this process. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "core/run/config.h"
#include "core/run/live_params.h"
#include "core/run/params.h"
#include "../netlink/answer.h"
#include "fabric.h"

#define TEXT_MAX	64	/* maximum bytes of a parameter's value as text */
#define VALUES_MAX	256	/* maximum bytes of the list of a parameter's values */

/* Check a name by the rule of torus_netlink_name_good(). */
bool rehearsal_name_good(const char *name)
{
	const char *c;

	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return false;
	return true;
}

/* ----------------------------------------------------------------- parameters */

static void param_read(struct nlattr *nest, char *key, char *value)
{
	struct nlattr *attr;
	int rest;

	*key = '\0';
	*value = '\0';
	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == TORUS_A_KEY)
			nla_strlcpy(key, attr, TEXT_MAX);
		else if (nla_type(attr) == TORUS_A_TEXT)
			nla_strlcpy(value, attr, TEXT_MAX);
		else if (nla_type(attr) == TORUS_A_VALUE)
			snprintf(value, TEXT_MAX, "0x%llx", (unsigned long long)nla_get_u64(attr));
	}
}

/* Apply each parameter of a request to @cfg, or, if @cfg is NULL, to a change of @f. */
static int params_apply(struct torus_nl_request *request, struct torus_config *cfg,
			struct torus_fabric_change *change, const struct torus_fabric *f)
{
	char key[TEXT_MAX], value[TEXT_MAX];
	struct torus_error why;
	struct nlattr *attr;
	int rest, error;

	nla_for_each_attr(attr, request->attrs.first, request->attrs.length, rest) {
		if (nla_type(attr) != TORUS_A_PARAM)
			continue;
		param_read(attr, key, value);
		error = cfg ? torus_config_set(cfg, key, value, &why) :
			      torus_change_set(change, f, key, value, &why);
		if (error)
			return rehearsal_refuse(request, error, "%s", why.text);
	}
	return 0;
}

/* -------------------------------------------------------------- add and delete */

static int configure(struct torus_nl_request *request, struct torus_config *cfg)
{
	u32 dims[TORUS_DIMS_MAX] = { 0 };
	struct torus_error why;
	char arch[32];
	size_t sent;
	int error;

	torus_nl_string(&request->attrs, TORUS_A_ARCH, arch, sizeof(arch));
	sent = torus_nl_binary(&request->attrs, TORUS_A_DIMS, dims, sizeof(dims));
	error = torus_arch_config(cfg, arch, &why);
	if (!error)
		error = torus_config_shape(cfg, (u32)(sent / sizeof(u32)), dims,
					   rehearsal_u32(request, TORUS_A_MESH), &why);
	if (error)
		return rehearsal_refuse(request, error, "%s", why.text);
	if (rehearsal_has(request, TORUS_A_SEED))
		cfg->seed = torus_nl_u64(&request->attrs, TORUS_A_SEED);
	if (rehearsal_has(request, TORUS_A_DOMAINS))
		cfg->domains = rehearsal_u32(request, TORUS_A_DOMAINS);
	return params_apply(request, cfg, NULL, NULL);
}

/* Reject a fabric that is larger than the memory of this computer, before it is allocated. */
static int memory_check(struct torus_nl_request *request, const struct torus_config *cfg)
{
	u64 there = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
	u64 bytes = torus_config_bytes(cfg);

	return bytes <= there ? 0 :
	       rehearsal_refuse(request, -ENOMEM, "shape: the fabric requires %llu MiB, this "
				"computer has %llu MiB", (unsigned long long)(bytes >> 20),
				(unsigned long long)(there >> 20));
}

/* Answer TORUS_CMD_FABRIC_ADD. */
int rehearsal_fabric_add(struct rehearsal *all, struct torus_nl_request *request)
{
	struct rehearsed *r = calloc(1, sizeof(*r));
	struct torus_config *cfg = calloc(1, sizeof(*cfg));
	struct torus_error why;
	int error = -ENOMEM;

	if (!r || !cfg)
		goto out;
	torus_nl_string(&request->attrs, TORUS_A_FABRIC, r->name, sizeof(r->name));
	error = rehearsal_name_good(r->name) ? configure(request, cfg) :
		rehearsal_refuse(request, -EINVAL, "the name of a fabric must consist of letters, "
				 "digits, '.', '-' and '_'");
	cfg->threads = 1;
	if (!error)
		error = memory_check(request, cfg);
	if (error)
		goto out;
	error = torus_fabric_create(cfg, &r->fabric, &why);
	if (error) {
		rehearsal_refuse(request, error, "%s", why.text);
		goto out;
	}
	r->config = torus_fabric_config(r->fabric);
	r->next = all->fabrics;
	all->fabrics = r;
	r = NULL;
out:
	free(r);
	free(cfg);
	return error;
}

/* Delete a fabric that is not in a set any more. */
void rehearsed_free(struct rehearsed *r)
{
	struct rehearsed_job *job;

	while ((job = r->jobs)) {
		r->jobs = job->next;
		free(job);
	}
	torus_fabric_destroy(r->fabric);
	free(r->owners);
	free(r->image);
	free(r);
}

/* Answer TORUS_CMD_FABRIC_DEL. */
int rehearsal_fabric_del(struct rehearsal *all, struct torus_nl_request *request)
{
	struct rehearsed **at, *r;
	char name[TORUS_NAME_MAX];

	torus_nl_string(&request->attrs, TORUS_A_FABRIC, name, sizeof(name));
	for (at = &all->fabrics; *at && strcmp((*at)->name, name); at = &(*at)->next)
		;
	r = *at;
	if (!r)
		return rehearsal_refuse(request, -ENOENT, "fabric %s does not exist", name);
	*at = r->next;
	rehearsed_free(r);
	return 0;
}

/* --------------------------------------------------------------- get and set */

static int put_param(struct nl_msg *msg, const struct torus_config *cfg, u32 i)
{
	const struct torus_param *param = torus_param_at(cfg->arch, i);
	char text[TEXT_MAX];
	struct nlattr *nest;

	if (!param)
		return 0;
	nest = nla_nest_start(msg, TORUS_A_PARAM);
	if (!nest || nla_put_string(msg, TORUS_A_KEY, param->name) ||
	    nla_put_string(msg, TORUS_A_TEXT, torus_config_text(cfg, i, text, sizeof(text))) ||
	    nla_put_u64(msg, TORUS_A_VALUE, cfg->params[i]) ||
	    (param->live && nla_put_flag(msg, TORUS_A_LIVE)))
		return -1;
	return nla_nest_end(msg, nest);
}

/* Answer TORUS_CMD_FABRIC_GET with what the arguments of a configuration's lines depend on. */
int rehearsal_fabric_get(struct rehearsed *r, struct torus_nl_request *request)
{
	const struct torus_config *cfg = r->config;
	const struct torus_geometry *geo = &cfg->geo;
	struct nl_msg *msg = torus_nl_answer_new();
	int error;
	u32 i;

	error = !msg || nla_put_string(msg, TORUS_A_FABRIC, r->name) ||
		nla_put_string(msg, TORUS_A_ARCH, cfg->arch->name) ||
		nla_put(msg, TORUS_A_DIMS, (int)(geo->ndims * sizeof(u32)), geo->dims) ||
		nla_put_u32(msg, TORUS_A_MESH, geo->mesh) ||
		nla_put(msg, TORUS_A_SHAPE, (int)(geo->nshape * sizeof(u32)), geo->shape) ||
		nla_put(msg, TORUS_A_NUMBERING, sizeof(geo->numbering), &geo->numbering) ||
		nla_put_u32(msg, TORUS_A_NODES, geo->nodes) ||
		nla_put_u32(msg, TORUS_A_DOMAINS, cfg->domains) ||
		nla_put_u64(msg, TORUS_A_TICK_FS, cfg->arch->tick_fs(cfg)) ||
		nla_put_u64(msg, TORUS_A_SEED, cfg->seed) || nla_put_u64(msg, TORUS_A_CLOCK, 0);
	for (i = 0; i < torus_param_count(cfg->arch) && !error; i++)
		error = put_param(msg, cfg, i) < 0;
	return torus_nl_answer_send(request, msg, error);
}

/* Answer TORUS_CMD_FABRIC_SET: set all given parameters, or none. */
int rehearsal_fabric_set(struct rehearsed *r, struct torus_nl_request *request)
{
	struct torus_fabric_change *change = malloc(sizeof(*change));
	struct torus_error why;
	int error;

	if (!change)
		return -ENOMEM;
	torus_change_init(change, r->fabric);
	error = params_apply(request, NULL, change, r->fabric);
	if (!error) {
		error = torus_change_make(r->fabric, change, &why);
		if (error)
			rehearsal_refuse(request, error, "%s", why.text);
	}
	free(change);
	return error;
}

/* ------------------------------------------------------ parameters of a machine */

static int put_range(struct nl_msg *msg, const struct torus_param *param)
{
	char text[VALUES_MAX] = "";
	size_t used = 0;
	u32 i;

	if (!param->values)
		return nla_put_u64(msg, TORUS_A_MINIMUM, param->min) ||
		       nla_put_u64(msg, TORUS_A_MAXIMUM, param->max) ||
		       (torus_param_unit(param) &&
			nla_put_string(msg, TORUS_A_UNIT, torus_param_unit(param)));
	for (i = 0; param->values[i]; i++)
		used += (size_t)scnprintf(text + used, sizeof(text) - used, i ? " %s" : "%s",
					  param->values[i]);
	return nla_put_string(msg, TORUS_A_VALUES, text);
}

/* Answer TORUS_CMD_PARAM_GET. */
int rehearsal_param_dump(struct torus_nl_request *request)
{
	struct torus_config *cfg = calloc(1, sizeof(*cfg));
	const struct torus_param *param;
	struct torus_error why;
	char text[TEXT_MAX];
	struct nl_msg *msg;
	int error;
	u32 i;

	if (!cfg)
		return -ENOMEM;
	torus_nl_string(&request->attrs, TORUS_A_ARCH, text, sizeof(text));
	error = torus_arch_config(cfg, text, &why);
	if (error)
		rehearsal_refuse(request, error, "%s", why.text);
	for (i = 0; !error && i < torus_param_count(cfg->arch); i++) {
		param = torus_param_at(cfg->arch, i);
		if (!param)
			continue;
		msg = torus_nl_answer_new();
		error = !msg || nla_put_string(msg, TORUS_A_KEY, param->name) ||
			nla_put_string(msg, TORUS_A_DEFAULT,
				       torus_config_text(cfg, i, text, sizeof(text))) ||
			put_range(msg, param) ||
			(param->live && nla_put_flag(msg, TORUS_A_LIVE)) ||
			nla_put_string(msg, TORUS_A_HELP, param->help);
		error = torus_nl_answer_send(request, msg, error);
	}
	free(cfg);
	return error;
}
