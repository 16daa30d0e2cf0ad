// SPDX-License-Identifier: GPL-2.0
/*
 * Checkpoints: a run's options, its fabric's state (core/run/snapshot.h) and its measurement. The
 * file is written under a temporary name and renamed when it is complete, so the previous
 * checkpoint survives a failure. If several processes simulate together, process 0 collects their
 * states and writes the file. To restore, all processes read the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../../common/output_file.h"
#include "../../parse/parse.h"
#include "core/run/snapshot.h"
#include "checkpoint.h"
#include "../cmdline/config.h"
#include "../base/output_file.h"
#include "../base/message.h"
#include "../transport/procs.h"

/* Maximum bytes of the options. */
#define OPTIONS_MAX	(1u << 24)

/* --------------------------------------------------------------------- options */

/* Check whether an option was given. */
static bool is_typed(struct sim_cmdline *typed, const struct option_row *row)
{
	struct sim_list list;

	if (row->offset == SIM_PLACE(tables))
		return typed->ntables;
	if (sim_cmdline_list(typed, row, &list))
		return *list.count;
	return *sim_cmdline_at(typed, row);
}

/* ----------------------------------------------------------------------- files */

/**
 * struct sink - output of a checkpoint
 * @file: the file; NULL: discard all bytes
 * @error: errno of the first failed write, or 0
 * @go_on: after a write error, continue until the end, because other processes still send their
 *         parts
 */
struct sink {
	FILE *file;
	int error;
	bool go_on;
};

static int sink_write(void *to, const void *bytes, u32 n)
{
	struct sink *sink = to;

	if (sink->file && !sink->error && fwrite(bytes, 1, n, sink->file) != n)
		sink->error = errno;
	return sink->go_on ? 0 : -sink->error;
}

static int file_read(void *file, void *bytes, u32 n)
{
	size_t got = fread(bytes, 1, n, file);

	return got || !ferror((FILE *)file) ? (int)got : -errno;
}

/* Append the system's error message to the snapshot's error message if a file operation failed. */
static void explain(struct torus_snapshot *snap)
{
	size_t used = snap->status ? strlen(snap->err->text) : 0;

	if (used && snap->status != -EINVAL && snap->status != -EOPNOTSUPP &&
	    snap->status != -ENOMEM)
		snprintf(snap->err->text + used, sizeof(snap->err->text) - used, ": %s",
			 strerror(-snap->status));
}

static const struct torus_snapshot_ops to_file = { .write = sink_write };
static const struct torus_snapshot_ops from_file = { .read = file_read };

/*
 * Save or restore the file header and the options. Return the options' text; when reading, the
 * caller frees it.
 */
static char *snapshot_options(struct torus_snapshot *snap, char *text)
{
	u32 bytes = snap->reading ? 0 : (u32)strlen(text);

	torus_snapshot_file_header(snap);
	torus_snapshot_begin(snap, TORUS_SECTION_OPTIONS);
	SNAPSHOT_FIELD(snap, bytes);
	torus_snapshot_check(snap, bytes <= OPTIONS_MAX, "number of bytes of options =", bytes);
	if (snap->reading && torus_snapshot_ok(snap)) {
		text = calloc(1, bytes + 1);
		if (!text)
			torus_snapshot_no_memory(snap);
	}
	if (torus_snapshot_ok(snap))
		torus_snapshot_bytes(snap, text, bytes);
	torus_snapshot_end(snap);
	return text;
}

/* Save or restore the measurement's state outside the fabric. */
static void snapshot_measure(struct torus_snapshot *snap, struct sim_measure *measure)
{
	torus_snapshot_begin(snap, TORUS_SECTION_MEASURE);
	/* in a checkpoint of the kernel module this section is empty */
	if (!snap->reading || snap->filled) {
		sim_convergence_snapshot(snap, &measure->until);
		sim_link_usage_snapshot(snap, &measure->use);
	}
	torus_snapshot_end(snap);
}

/**
 * sim_checkpoint_options - read the options of a run from the file of --restore
 * @typed: [in, out] the options; sim_config_free() frees the words of the file
 * @command: SIM_FOR_RUN
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_checkpoint_options(struct sim_cmdline *typed, unsigned int command)
{
	const struct option_row *row;
	struct torus_error err;
	struct torus_snapshot snap;
	char *text = NULL;
	FILE *in;
	size_t i;
	int status;

	for (i = 0; (row = sim_cmdline_row(i)); i++)
		if (!(row->groups & SIM_OF_RESTORE) && is_typed(typed, row))
			return sim_reject("--restore %s: must not be combined with --%s, because "
					  "the file contains the options of the run",
					  typed->restore, row->name);
	in = fopen(typed->restore, "re");
	if (!in)
		return sim_reject("--restore %s: %s", typed->restore, strerror(errno));
	torus_snapshot_init(&snap, &from_file, in, &err);
	text = snapshot_options(&snap, NULL);
	torus_snapshot_free(&snap);
	explain(&snap);
	fclose(in);
	if (snap.status)
		status = sim_reject("--restore %s: %s", typed->restore, err.text);
	else
		status = sim_config_text(typed, command, typed->restore, text);
	if (!status && typed->histogram && !typed->statistics)
		status = sim_reject("--restore %s: must not be combined with --histogram, because "
				    "the run had no --statistics",
				    typed->restore);
	free(text);
	return status;
}

/* ------------------------------------------------------------ saving and restoring */

/**
 * sim_checkpoint_check - check that a checkpoint can be written to a file
 * @option: option that names the file, for the error message
 * @path: the file
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_checkpoint_check(const char *option, const char *path)
{
	struct stat there;

	/* rename() cannot replace a directory, and it must not replace a device by a file */
	if (!sim_procs_silent() && !stat(path, &there) && !S_ISREG(there.st_mode))
		return sim_reject("%s %s: exists already and is not a regular file", option, path);
	return sim_writable(option, path);
}

/**
 * sim_checkpoint_next - tick of the next checkpoint
 * @options: the options
 * @fabric: the running fabric
 *
 * Return: the next multiple of --every; 0 without --every.
 */
u64 sim_checkpoint_next(const struct sim_run_config *options, const struct torus_fabric *fabric)
{
	u64 clock = torus_fabric_clock(fabric);

	return options->every ? clock - clock % options->every + options->every : 0;
}

/*
 * Sync the directory, so that the new name survives a crash. If that fails, the previous checkpoint
 * may be found after a crash.
 */
static void sync_directory(const char *file)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s", file);
	fd = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/*
 * Write a checkpoint and sync it to disk. @out: NULL in the processes other than process 0: they
 * only send their parts of the state. It is also NULL if process 0 cannot open the file.
 */
static int write_part(const struct sim_run_config *options, struct torus_fabric *fabric,
		      struct sim_measure *measure, FILE *out)
{
	struct sink sink = { .file = out, .go_on = fabric->cfg.procs };
	struct json_object *doc = sim_config_json(options->typed, SIM_FOR_RUN);
	struct torus_snapshot snap;
	struct torus_error err;
	int status = SIM_OK;

	torus_snapshot_init(&snap, &to_file, &sink, &err);
	/* the cast is safe, because a snapshot that is being written only reads the text */
	snapshot_options(&snap,
			 (char *)json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN));
	torus_fabric_snapshot(&snap, fabric);
	snapshot_measure(&snap, measure);
	torus_snapshot_finish(&snap);
	torus_snapshot_free(&snap);
	explain(&snap);
	json_object_put(doc);
	if (snap.status)
		status = sim_error("--checkpoint %s: %s", options->checkpoint, err.text);
	/*
	 * this process cannot return an error here: the others would wait indefinitely for its part
	 */
	if (snap.status && fabric->cfg.procs)
		exit(sim_procs_end(status));
	if (!snap.status && out && (sink.error || fflush(out) || fsync(fileno(out))))
		status = sim_error("--checkpoint %s: %s", options->checkpoint,
				   strerror(sink.error ? sink.error : errno));
	return status;
}

/* Write a checkpoint to a temporary file, and rename it if it is complete. */
static int write_file(const struct sim_run_config *options, struct torus_fabric *fabric,
		      struct sim_measure *measure)
{
	FILE *out = torus_output_open(options->checkpoint);
	int status = SIM_OK;

	if (!out)
		status = sim_error("--checkpoint %s: %s", options->checkpoint, strerror(errno));
	/* all processes must make this collective call, even if process 0 cannot open the file */
	if (out || fabric->cfg.procs)
		status |= write_part(options, fabric, measure, out);
	if (out && status)
		torus_output_discard(out, options->checkpoint);
	else if (out && !torus_output_close(out, options->checkpoint))
		status = sim_error("--checkpoint %s: %s", options->checkpoint, strerror(errno));
	if (!status)
		sync_directory(options->checkpoint);
	return status;
}

/**
 * sim_checkpoint_write - write a checkpoint
 * @options: the options
 * @fabric: the fabric; no run may be in progress
 * @measure: measurement of the run
 *
 * Return: SIM_OK, or SIM_FAILED after an error message; then the previous checkpoint is kept.
 */
int sim_checkpoint_write(const struct sim_run_config *options, struct torus_fabric *fabric,
			 struct sim_measure *measure)
{
	int status = sim_procs_silent() ? write_part(options, fabric, measure, NULL) :
					  write_file(options, fabric, measure);

	return torus_procs_max(fabric, status != SIM_OK) ? SIM_FAILED : SIM_OK;
}

/**
 * sim_checkpoint_read - restore the state of a run from the file of --restore
 * @options: options that were read from the file
 * @fabric: [out] the fabric, with its workload, before the first step
 * @measure: [in, out] measurement of the run, initialized by the caller
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_checkpoint_read(const struct sim_run_config *options, struct torus_fabric *fabric,
			struct sim_measure *measure)
{
	FILE *in = fopen(options->restore, "re");
	struct torus_snapshot snap;
	struct torus_error err;

	if (!in)
		return sim_reject("--restore %s: %s", options->restore, strerror(errno));
	torus_snapshot_init(&snap, &from_file, in, &err);
	free(snapshot_options(&snap, NULL));
	torus_fabric_snapshot(&snap, fabric);
	snapshot_measure(&snap, measure);
	torus_snapshot_finish(&snap);
	torus_snapshot_free(&snap);
	explain(&snap);
	fclose(in);
	if (snap.status)
		return sim_reject("--restore %s: %s", options->restore, err.text);
	return fabric->cfg.procs ? sim_measure_agree(snap.fingerprint) : SIM_OK;
}
