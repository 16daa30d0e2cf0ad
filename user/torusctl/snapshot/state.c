// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl fabric save-state and load-state: save a fabric with its workload to a file, and create
 * a fabric from the file. The format is that of torus-sim's checkpoints.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../common/output_file.h"
#include "../../machine/machine.h"
#include "../../netlink/state.h"
#include "../../netlink/traffic.h"
#include "../../route/spec/fabric_io.h"
#include "../../route/spec/file.h"
#include "core/state/snapshot.h"
#include "../../config/args.h"
#include "../../config/extension.h"
#include "../../config/diag.h"
#include "state.h"
#include "run.h"
#include "../../config/target.h"

#define OPTIONS_MAX	(1u << 24)	/* maximum length of a run's options in bytes */

/* Contents of a file in memory, and the position of the next read. */
struct state_file {
	void *bytes;
	size_t count;
	size_t at;
};

/* Parse NAME FILE. */
static int take_words(struct ctl *ctl, struct ctl_args *args, const char **name,
		      const char **file)
{
	int status = fabric_args_name(ctl, args, name);

	if (status)
		return status;
	*file = ctl_next(args);
	if (!*file)
		return ctl_usage(ctl, "the name of a file is missing");
	return ctl_end(ctl, args);
}

/* ----------------------------------------------------------------------- save */

static int file_failed(struct ctl *ctl, const char *name)
{
	ctl_error(ctl, "%s: %s", name, strerror(errno));
	return CTL_FAILED;
}

/*
 * Write the new file to disk before it replaces the old one. Files that are not on a disk may not
 * support fsync(); ignore that error.
 */
static int file_write(struct ctl *ctl, const char *name, const struct state_file *file)
{
	FILE *out = torus_output_open(name);

	if (!out)
		return ctl_reject(ctl, "%s: %s", name, strerror(errno));
	if (fwrite(file->bytes, 1, file->count, out) != file->count || fflush(out) ||
	    (fsync(fileno(out)) && errno != EINVAL && errno != EROFS)) {
		file_failed(ctl, name);
		torus_output_discard(out, name);
		return CTL_FAILED;
	}
	return torus_output_close(out, name) ? CTL_OK : file_failed(ctl, name);
}

static int save_run(struct ctl *ctl, const struct torus_nl_fabric *fabric, const char *name)
{
	struct torus_nl_progress progress;
	struct state_file file = { .at = 0 };
	struct json_object *doc;
	int status;

	if (torus_nl_traffic_get(ctl->nl, fabric->name, &progress))
		return ctl_failed(ctl);
	if (!progress.has_traffic) {
		ctl_error(ctl, "fabric %s: has no workload, because programs have attached",
			  fabric->name);
		return CTL_FAILED;
	}
	doc = state_run_json(ctl, fabric, &progress.traffic);
	if (!doc)
		return CTL_FAILED;
	if (torus_nl_state_save(ctl->nl, fabric->name,
				json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN),
				&file.bytes, &file.count))
		status = ctl_failed(ctl);
	else
		status = file_write(ctl, name, &file);
	free(file.bytes);
	json_object_put(doc);
	return status;
}

/**
 * fabric_save_state - run torusctl fabric save-state NAME FILE
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int fabric_save_state(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_fabric fabric;
	const char *name, *file;
	int status = take_words(ctl, args, &name, &file);

	if (!status)
		status = output_extension(ctl, "", file, ".state");
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	if (torus_nl_fabric_get(ctl->nl, name, &fabric))
		return ctl_failed(ctl);
	status = save_run(ctl, &fabric, file);
	return status ? status : ctl_done(ctl);
}

/* ----------------------------------------------------------------------- load */

static int file_read(void *from, void *bytes, u32 n)
{
	struct state_file *file = from;
	size_t left = file->count - file->at;

	n = n < left ? n : (u32)left;
	memcpy(bytes, (const char *)file->bytes + file->at, n);
	file->at += n;
	return (int)n;
}

static const struct torus_snapshot_ops from_file = { .read = file_read };

/* Read a file into memory. */
static int file_get(struct ctl *ctl, const char *name, struct state_file *file)
{
	FILE *in = fopen(name, "re"), *all;
	char piece[1 << 16];
	bool good;
	size_t n;

	if (!in)
		return ctl_reject(ctl, "%s: %s", name, strerror(errno));
	all = open_memstream((char **)&file->bytes, &file->count);
	while (all && (n = fread(piece, 1, sizeof(piece), in)))
		if (fwrite(piece, 1, n, all) != n)
			break;
	good = all && !ferror(in) && !ferror(all);
	if (!good)
		file_failed(ctl, name);
	if (all && fclose(all) && good) {
		file_failed(ctl, name);
		good = false;
	}
	fclose(in);
	return good ? CTL_OK : CTL_FAILED;
}

/* Return the options of the run in a state file, or NULL after an error message. */
static struct json_object *file_options(struct ctl *ctl, const char *name, struct state_file *file)
{
	struct json_object *doc = NULL;
	struct torus_snapshot snap;
	struct torus_error err;
	char *text = NULL;
	u32 bytes = 0;

	torus_snapshot_init(&snap, &from_file, file, &err);
	torus_snapshot_file_header(&snap);
	torus_snapshot_begin(&snap, TORUS_SECTION_OPTIONS);
	SNAPSHOT_FIELD(&snap, bytes);
	torus_snapshot_check(&snap, bytes <= OPTIONS_MAX, "number of bytes of options =", bytes);
	if (torus_snapshot_ok(&snap))
		text = calloc(1, bytes + 1);
	if (text)
		torus_snapshot_bytes(&snap, text, bytes);
	torus_snapshot_end(&snap);
	torus_snapshot_free(&snap);
	if (snap.status)
		ctl_error(ctl, "%s: %s", name, err.text);
	else
		doc = text ? json_tokener_parse(text) : NULL;
	if (!doc && !snap.status)
		ctl_error(ctl, "%s: out of memory, or the options are not valid JSON", name);
	free(text);
	return doc;
}

/*
 * Load routing tables at the tick that @table names. If @table is NULL, compute tables and load
 * them at tick 0.
 */
static bool load_table(struct ctl *ctl, const struct state_run *run,
		       const struct state_table *table, struct parse_error *why)
{
	const struct torus_nl_fabric *fabric = &run->traffic.target.fabric;
	uint64_t at = table ? target_ticks(&run->traffic.target, &table->at) : 0;
	struct xt_spec spec;
	bool good = xt_live_map(fabric, &spec, why) &&
		    xt_spec_words(&spec, run->words, why) &&
		    (table ? xt_spec_read(&spec, table->file, why) :
			     xt_spec_compute(&spec, why)) &&
		    xt_live_load(ctl->nl, fabric->name, spec.tables, &at, why);

	xt_spec_free(&spec);
	return good;
}

static int load_tables(struct ctl *ctl, const struct state_run *run)
{
	const char *arch = run->traffic.target.fabric.arch;
	bool first = false, good = true;
	struct parse_error why;
	unsigned int i;

	if (!torus_machine_can(torus_machine_find(arch), TORUS_MACHINE_TABLES))
		return CTL_OK;
	for (i = 0; i < run->ntables && good; i++) {
		first |= !run->tables[i].at.ticks && !run->tables[i].at.fs;
		good = load_table(ctl, run, &run->tables[i], &why);
	}
	if (good && !first)
		good = load_table(ctl, run, NULL, &why);
	if (!good)
		ctl_error(ctl, "%s", why.text);
	return good ? CTL_OK : CTL_FAILED;
}

/* Load tables, workload and state into a fabric that was just created. */
static int load_into(struct ctl *ctl, struct state_run *run, const struct state_file *file)
{
	struct traffic_args *wanted = &run->traffic;
	const char *name = wanted->target.name;
	int status = target_find(ctl, &wanted->target);

	if (!status)
		status = load_tables(ctl, run);
	if (!status)
		status = traffic_args_finish(ctl, wanted);
	if (status)
		return status;
	if ((wanted->pairs.count &&
	     torus_nl_traffic_pairs(ctl->nl, name, wanted->pairs.pairs, wanted->pairs.count)) ||
	    torus_nl_state_load(ctl->nl, name, file->bytes, file->count, &wanted->load.traffic))
		return ctl_failed(ctl);
	return CTL_OK;
}

static int load_run(struct ctl *ctl, struct state_run *run, const char *name,
		    const struct state_file *file)
{
	int status;

	run->fabric.spec.name = name;
	run->traffic.target.name = name;
	status = fabric_args_make(ctl, &run->fabric);
	if (status)
		return status;
	status = load_into(ctl, run, file);
	/* delete a fabric whose state could not be loaded */
	if (status)
		torus_nl_fabric_del(ctl->nl, name);
	return status ? status : ctl_done(ctl);
}

/**
 * fabric_load_state - run torusctl fabric load-state NAME FILE
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message, without a new fabric.
 */
int fabric_load_state(struct ctl *ctl, struct ctl_args *args)
{
	struct state_file file = { .at = 0 };
	struct json_object *doc = NULL;
	struct state_run run = { .npairs = 0 };
	const char *name, *path;
	int status = take_words(ctl, args, &name, &path);

	if (status)
		return status;
	status = file_get(ctl, path, &file);
	if (!status)
		doc = file_options(ctl, path, &file);
	if (doc)
		status = state_run_take(ctl, doc, &run);
	else if (!status)
		status = CTL_USAGE;
	if (!status)
		status = load_run(ctl, &run, name, &file);
	state_run_free(&run);
	json_object_put(doc);
	free(file.bytes);
	return status;
}
