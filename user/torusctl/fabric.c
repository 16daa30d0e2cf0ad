// SPDX-License-Identifier: GPL-2.0
/* torusctl fabric: create, print, change and delete fabrics. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../report/json.h"
#include "../netlink/fabric.h"
#include "../netlink/param.h"
#include "../rehearsal/rehearsal.h"
#include "../config/args.h"
#include "core/state/stop.h"
#include "../config/ctl.h"
#include "../config/fabric_replace.h"
#include "../config/fabric_set.h"
#include "print/fabric.h"
#include "objects.h"
#include "print/output.h"
#include "../config/fabric_args.h"
#include "../config/diag.h"
#include "paused_run.h"
#include "snapshot/state.h"

static int fabric_show(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_fabric *fabrics;
	struct torus_nl_fabric one;
	const char *name = NULL;
	size_t count;
	int status;

	if (args->at < args->count) {
		status = fabric_args_name(ctl, args, &name);
		if (status)
			return status;
	}
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	if (name) {
		if (torus_nl_fabric_get(ctl->nl, name, &one))
			return ctl_failed(ctl);
		fabrics_print(ctl, &one, 1);
		return ctl_done(ctl);
	}
	if (torus_nl_fabric_dump(ctl->nl, &fabrics, &count))
		return ctl_failed(ctl);
	fabrics_print(ctl, fabrics, count);
	free(fabrics);
	return ctl_done(ctl);
}

static struct json_object *key_json(const struct torus_nl_key *key)
{
	struct json_object *object = json_object_new_object();
	struct json_object *values;
	const char *at = key->values;
	size_t length;

	report_add_text(object, "key", key->key);
	report_add_text(object, "default", key->initial);
	report_add_bool(object, "live", key->live);
	if (*at) {
		values = json_object_new_array();
		for (; *at; at += length + (at[length] == ' ')) {
			length = strcspn(at, " ");
			json_object_array_add(values, json_object_new_string_len(at, length));
		}
		json_object_object_add(object, "values", values);
	} else {
		report_add_u64(object, "min", key->min);
		report_add_u64(object, "max", key->max);
	}
	if (*key->unit)
		report_add_text(object, "unit", key->unit);
	report_add_text(object, "help", key->help);
	return object;
}

#define KEY_FORM \
	"{key%-18s} {default%-14s} {#values}{,}|{/}{.}{:}" \
	"{?unit=2^-64}0 to below 1{:}{min}..{max}{/}{/}" \
	"{!unit=2^-64}{?unit} {unit}{/}{/}{?live} live{/}\n"

/* Read the parameters of a machine from the module if it is loaded, otherwise from our own core. */
static int keys_read(struct ctl *ctl, const char *arch, struct torus_nl_key **keys, size_t *count)
{
	struct rehearsal *core = NULL;
	int status = CTL_OK;

	if (ctl->words_only)
		return CTL_WORDS;
	if (!ctl->nl && access("/sys/module/torus", F_OK)) {
		core = rehearsal_new();
		ctl->nl = torus_nl_new();
		if (!core || !ctl->nl) {
			ctl_error(ctl, "out of memory");
			rehearsal_free(core);
			return CTL_FAILED;
		}
		rehearsal_connect(core, ctl->nl);
	} else {
		status = ctl_connect(ctl);
	}
	if (!status && torus_nl_key_dump(ctl->nl, arch, keys, count))
		status = ctl_failed(ctl);
	if (core) {
		torus_nl_free(ctl->nl);
		ctl->nl = NULL;
	}
	rehearsal_free(core);
	return status;
}

static int fabric_keys(struct ctl *ctl, struct ctl_args *args)
{
	const char *arch = ctl_next(args);
	struct json_object *list = NULL;
	struct torus_nl_key *keys;
	size_t count;
	size_t i;
	int status;

	if (!arch)
		return ctl_usage(ctl, "the name of a machine is missing");
	status = ctl_end(ctl, args);
	if (!status)
		status = fabric_args_arch(ctl, arch);
	if (!status)
		status = keys_read(ctl, arch, &keys, &count);
	if (status)
		return status;
	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++)
		report_item(list, key_json(&keys[i]),
			    ctl->details ? KEY_FORM "    {help}\n" : KEY_FORM);
	if (list)
		output_json(ctl, list);
	free(keys);
	return CTL_OK;
}

static int fabric_act(struct ctl *ctl, struct ctl_args *args,
		      int (*act)(struct torus_nl *nl, const char *name))
{
	const char *name;
	int status;

	status = fabric_args_name(ctl, args, &name);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	return act(ctl->nl, name) ? ctl_failed(ctl) : ctl_done(ctl);
}

static int fabric_reset(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_reset);
}

static int fabric_pause(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_pause);
}

static int fabric_resume(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_resume);
}

static int fabric_del(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_del);
}

static const struct ctl_command commands[] = {
	{ "add",
	  "NAME arch ARCH shape 4x4x4 [mesh DIMS] [seed N] [domains N] [KEY VALUE]...",
	  fabric_add },
	{ "replace",
	  "NAME arch ARCH shape 4x4x4 [mesh DIMS] [seed N] [domains N] [KEY VALUE]...",
	  fabric_replace },
	{ "show", "[NAME]", fabric_show },
	{ "set", "NAME KEY VALUE [KEY VALUE]...", fabric_set },
	{ "reset", "NAME", fabric_reset },
	{ "del", "NAME", fabric_del },
	{ "keys", "ARCH", fabric_keys },
	{ "pause", "NAME", fabric_pause },
	{ "resume", "NAME", fabric_resume },
	{ "step", "NAME [N]", fabric_step },
	{ "run", "NAME until TICK|EVENT [CAUSE|REG[=VALUE]] [NODES]...", fabric_run },
	{ "save-state", "NAME FILE", fabric_save_state },
	{ "load-state", "NAME FILE", fabric_load_state },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_fabric = {
	.name = "fabric",
	.help = "simulated torus machines",
	.details = "DIMS = dimensions that are not closed to rings, like x,z; KEY VALUE = a "
		   "parameter\n"
		   "of the machine, like routing deterministic or ber 1e-5; see `fabric keys`\n"
		   "replace creates a fabric, or gives the fabric NAME these keys, and defaults "
		   "for all others;\n"
		   "if a key needs a new fabric, an unused one is created again\n"
		   "show prints the parameters that differ from their defaults, with -d all\n"
		   "save-state saves a fabric that runs a workload, with its packets in flight, to "
		   "a file;\n"
		   "load-state creates a fabric from such a file or from a checkpoint of "
		   "torus-sim;\n"
		   "torus-sim run --restore reads the file, too\n"
		   "step and run pause the fabric, advance its clock, and print the events of "
		   "packets;\n"
		   "with -q only the tick\n"
		   "EVENT = " TORUS_STOP_LIST_ALL "\n"
		   "CAUSE = " TORUS_STOP_CAUSE_LIST_ALL "\n"
		   "REG = register that is accessed, of the node or of a port\n",
	.commands = commands,
	.fallback = "show",
};
