// SPDX-License-Identifier: GPL-2.0
/* torus-sim rerun: repeat what programs in virtual time did to a fabric of the module. */
#include <stdio.h>

#include <json-c/json.h>

#include "../common/option.h"
#include "../report/json.h"
#include "../report/report.h"
#include "../sim/base/json.h"
#include "../sim/cmdline/run_config.h"
#include "../sim/base/message.h"
#include "../parse/option.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "play.h"
#include "rerun.h"

/* Arguments of the command. */
struct rerun_args {
	const char *file;
	u32 domains;
	bool json;
};

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.words = "@file",
	.usage = "torus-sim rerun FILE [OPTION]...\n"
		 "\n"
		 "FILE is a record of programs in virtual time: the output of `torusctl save "
		 "FABRIC`,\n"
		 "followed by the lines of programs that were started with TORUS_RECORD=FILE\n"
		 "(user/vtime_replay/README.md). The same packets enter at the same ticks, so the\n"
		 "hash equals that of the fabric in the module.\n",
	.rows = (const struct option_row[]){
		{ "domains", 0, "N", "parts of the machine (default: as recorded)",
		  .offset = offsetof(struct rerun_args, domains), parse_option_u32, 1,
		  TORUS_DOMAINS_MAX },
		{ "json", 0, NULL, "print one JSON document",
		  .offset = offsetof(struct rerun_args, json) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

static u64 dropped(const struct torus_fabric_counters *c)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < TORUS_DROP_MAX; i++)
		sum += c->dropped[i];
	return sum;
}

static const char result_form[] =
	"{name} on {arch} {shape}, {programs} programs, {domains} domains\n"
	"clock     {clock} ticks, {us%.3f} us\n"
	"packets   {injected} injected, {delivered} delivered, {dropped} dropped, {refused} "
	"rejected, {in_flight} in flight\n"
	"latency   {latency%.1f} ticks\n"
	"hash      {delivery_hash}\n";

static void print_result(const struct vreplay_record *record, const struct vreplay_result *result,
			 bool json)
{
	const struct torus_fabric_counters *c = &result->counters;
	struct json_object *doc = json_object_new_object();
	char shape[PARSE_SHAPE_MAX];

	report_add_text(doc, "arch", record->config.arch->name);
	report_add_text(doc, "shape", parse_shape_text(record->config.geo.nshape,
						       record->config.geo.shape, shape,
						       sizeof(shape)));
	report_add_u64(doc, "domains", record->config.domains);
	report_add_u64(doc, "programs", record->nprograms);
	report_add_u64(doc, "clock", result->clock);
	report_add_u64(doc, "tick_fs", c->tick_fs);
	report_add_u64(doc, "injected", c->injected);
	report_add_u64(doc, "delivered", c->delivered);
	report_add_u64(doc, "dropped", dropped(c));
	report_add_u64(doc, "refused", c->refused);
	report_add_u64(doc, "in_flight", c->in_flight);
	report_add_u64(doc, "latency_sum", c->latency_sum);
	report_add_hash(doc, "delivery_hash", c->hash);
	if (!json) {
		report_add_text(doc, "name", record->name);
		report_add_double(doc, "us", result->clock * (double)c->tick_fs / 1e9);
		report_add_double(doc, "latency",
				  c->delivered ? (double)c->latency_sum / c->delivered : 0);
	}
	sim_json_answer(doc, json, result_form);
}

static int rerun_command(int argc, char **argv)
{
	struct rerun_args asked = { .file = NULL };
	struct vreplay_record record;
	struct vreplay_result result;
	int status = option_read(&table, argc, argv, &asked);

	if (!status)
		status = option_word(&table, argc, argv, "FILE is missing, see --help",
				     &asked.file);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	status = vreplay_record_read(&record, asked.file);
	if (asked.domains)
		record.config.domains = asked.domains;
	if (!status && record.config.domains > record.config.geo.nodes)
		status = sim_reject("domains %u: must be at most the %u nodes of the machine",
				    record.config.domains,
				    record.config.geo.nodes);
	if (!status)
		status = vreplay_play(&record, &result);
	if (!status)
		print_result(&record, &result, asked.json);
	if (!status && result.unended)
		sim_message("%u programs have no leave line, because they were killed or did not "
			    "detach; each leaves at its last recorded tick", result.unended);
	vreplay_record_free(&record);
	return status;
}

const struct sim_command sim_rerun_command = {
	.name = "rerun",
	.help = "repeat the operations of programs in virtual time",
	.run = rerun_command,
};
