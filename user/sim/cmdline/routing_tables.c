// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables of a run on a machine that has them. They are computed by user/route or read
 * from a file, and loaded before the first tick.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/report.h"
#include "../../route/spec/kernel_image.h"
#include "../../route/spec/file.h"
#include "../../route/xt/vc_balance.h"
#include "../../parse/shape.h"
#include "../../parse/time.h"
#include "core/run/routing_tables.h"
#include "core/state/domain.h"
#include "../base/message.h"
#include "routing_tables.h"

#define PERCENT		100.0
/* number of nodes whose counters are summed in one exchange between processes */
#define BALANCE_NODES	256

/**
 * sim_tables_set - store a value of --set if its key is a routing parameter
 * @tables: [in, out] routing parameters
 * @key: the key
 * @value: the value, which must outlive @tables
 *
 * Return: true if the key is a routing parameter.
 */
bool sim_tables_set(struct sim_tables *tables, const char *key, const char *value)
{
	unsigned int i = xt_key_find(key);

	if (i < XT_KEYS)
		tables->words[i] = value;
	return i < XT_KEYS;
}

static u64 file_tick(const struct sim_table *table, const struct torus_config *config)
{
	return parse_time_ticks(&table->at, config->arch->tick_fs(config));
}

/* Reject two files of tables that take effect at the same tick. */
static bool files_fit(const struct sim_tables *tables, const struct torus_config *config)
{
	const struct sim_table *table, *other;

	for (table = tables->files; table < tables->files + tables->nfiles; table++)
		for (other = tables->files; other < table; other++)
			if (file_tick(table, config) == file_tick(other, config)) {
				sim_reject("--table %s at %s: table %s is already scheduled for "
					   "that tick", table->file, table->typed, other->file);
				return false;
			}
	return true;
}

/**
 * sim_tables_fit - reject routing options for a machine without routing tables, and two files with
 * the same tick
 * @tables: routing parameters and files
 * @config: configuration of the fabric
 *
 * Return: true, or false after an error message.
 */
bool sim_tables_fit(const struct sim_tables *tables, const struct torus_config *config)
{
	unsigned int i;

	if (config->arch->routes_make)
		return files_fit(tables, config);
	for (i = 0; i < XT_KEYS; i++)
		if (tables->words[i]) {
			sim_reject("--set %s: %s has no routing tables", xt_key_names[i],
				   config->arch->name);
			return false;
		}
	if (tables->nfiles)
		sim_reject("--table %s: %s has no routing tables", tables->files[0].file,
			   config->arch->name);
	return !tables->nfiles;
}

/**
 * sim_tables_check - validate routing parameters before the fabric is created
 * @tables: routing parameters and files
 * @config: configuration of the fabric, whose shape is set
 *
 * Return: true, or false after an error message.
 */
bool sim_tables_check(const struct sim_tables *tables, const struct torus_config *config)
{
	const struct torus_geometry *geo = &config->geo;
	struct xt_spec spec;
	struct parse_error why;
	bool good;

	if (!sim_tables_fit(tables, config))
		return false;
	if (!config->arch->routes_make)
		return true;
	good = xt_spec_map(&spec, geo->dims, geo->mesh, geo->numbering.split[0], &why) &&
	       xt_spec_words(&spec, tables->words, &why);
	if (!good)
		sim_reject("set %s", why.text);
	xt_spec_free(&spec);
	return good;
}

static int load_image(const struct xt_tables *made, struct torus_fabric *fabric, u64 at)
{
	struct torus_error err;
	struct parse_error why;
	size_t bytes;
	void *image = xt_image_make(made, &bytes, &why);
	int ret;

	if (!image)
		return sim_error("%s", why.text);
	ret = torus_fabric_routes_load(fabric, image, bytes, at, &err);
	free(image);
	return ret ? sim_error("%s", err.text) : SIM_OK;
}

/* Load tables that take effect at tick @at, from @file, or computed if @file is NULL. */
static int load_tables(const struct sim_tables *tables, const char *file,
		       struct torus_fabric *fabric, u64 at)
{
	const struct torus_geometry *geo = &torus_fabric_config(fabric)->geo;
	struct xt_spec spec;
	struct parse_error why;
	int status;

	if (!xt_spec_map(&spec, geo->dims, geo->mesh, geo->numbering.split[0], &why) ||
	    !xt_spec_words(&spec, tables->words, &why))
		status = sim_reject("%s", why.text);
	else if (file && !xt_spec_read(&spec, file, &why))
		status = sim_reject("--table: %s", why.text);
	else if (!file && !xt_spec_compute(&spec, &why))
		status = sim_error("%s", why.text);
	else
		status = load_image(spec.tables, fabric, at);
	xt_spec_free(&spec);
	return status;
}

/**
 * sim_tables_load - load the routing tables of a fabric if its machine has any
 * @tables: routing parameters and files
 * @fabric: the fabric, not running
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_tables_load(const struct sim_tables *tables, struct torus_fabric *fabric)
{
	const struct torus_config *config = torus_fabric_config(fabric);
	bool first = false;
	int status = SIM_OK;
	unsigned int i;

	if (!config->arch->routes_make)
		return SIM_OK;
	for (i = 0; i < tables->nfiles && !status; i++) {
		u64 at = file_tick(&tables->files[i], config);

		first |= !at;
		status = load_tables(tables, tables->files[i].file, fabric, at);
	}
	return status || first ? status : load_tables(tables, NULL, fabric, 0);
}

/*
 * Count the packets on the links of some nodes by VC, and sum the counts over all processes. A VC
 * of the second packet class is added to the corresponding VC of the first.
 */
static void balance_packets(struct torus_fabric *fabric, u32 first, u32 nodes,
			    u64 packets[][XT_DIRS][XT_VCS])
{
	struct torus_link_counters c;
	u32 i, dir, vc;

	memset(packets, 0, nodes * sizeof(*packets));
	for (i = 0; i < nodes; i++)
		for (dir = 0; torus_node_here(fabric, first + i) && dir < XT_DIRS; dir++) {
			torus_link_counters(fabric, first + i, dir, &c);
			for (vc = 0; vc < fabric->vcs; vc++)
				packets[i][dir][vc % XT_VCS] += c.packets[vc];
		}
	torus_procs_sum(fabric, &packets[0][0][0], (size_t)nodes * XT_DIRS * XT_VCS);
}

/**
 * sim_balance_take - compute the VC balance from the counters of links
 * @balance: [out] balance per dimension
 * @fabric: the fabric after its run
 */
void sim_balance_take(struct sim_balance *balance, struct torus_fabric *fabric)
{
	u64 packets[BALANCE_NODES][XT_DIRS][XT_VCS];
	u32 nodes = torus_fabric_config(fabric)->geo.nodes, node, n, i, dir;
	size_t bytes = 0;

	memset(balance, 0, sizeof(*balance));
	if (!torus_fabric_routes(fabric, &bytes))
		return;
	balance->table_bytes = bytes;
	for (node = 0; node < nodes; node += n) {
		n = nodes - node < BALANCE_NODES ? nodes - node : BALANCE_NODES;
		balance_packets(fabric, node, n, packets);
		for (i = 0; i < n; i++)
			for (dir = 0; dir < XT_DIRS; dir++)
				xt_balance_add(&balance->dim[XT_DIM(dir)], packets[i][dir][0],
					       packets[i][dir][1]);
	}
}

/**
 * sim_balance_json - add vc_balance and table_bytes to a document
 * @doc: document, unchanged if the machine has no tables
 * @balance: from sim_balance_take()
 */
void sim_balance_json(struct json_object *doc, const struct sim_balance *balance)
{
	struct json_object *all = json_object_new_object();
	unsigned int dim, i;

	for (dim = 0; dim < XT_DIMS; dim++) {
		const struct xt_balance *b = &balance->dim[dim];
		struct json_object *one, *bins;
		char name[PARSE_DIM_MAX];

		if (!b->links)
			continue;
		one = json_object_new_object();
		bins = json_object_new_array();
		for (i = 0; i < XT_BINS; i++)
			json_object_array_add(bins, json_object_new_uint64(b->bins[i]));
		json_object_object_add(one, "mean", report_double(b->sum / (double)b->links));
		json_object_object_add(one, "bins", bins);
		json_object_object_add(all, parse_dim_name(dim, name, sizeof(name)), one);
	}
	if (!balance->table_bytes) {
		json_object_put(all);
		return;
	}
	json_object_object_add(doc, "vc_balance", all);
	json_object_object_add(doc, "table_bytes", json_object_new_uint64(balance->table_bytes));
}

/**
 * sim_balance_text - print the VC balance in one line
 * @out: output stream
 * @balance: from sim_balance_take()
 */
void sim_balance_text(FILE *out, const struct sim_balance *balance)
{
	unsigned int dim;

	if (!balance->table_bytes)
		return;
	fputs("balance   ", out);
	for (dim = 0; dim < XT_DIMS; dim++)
		if (balance->dim[dim].links)
			fprintf(out, " %c %.2f %%", "xyz"[dim], PERCENT *
				balance->dim[dim].sum / (double)balance->dim[dim].links);
	fprintf(out, ", tables of %llu bytes\n", (unsigned long long)balance->table_bytes);
}
