// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl explain: print the path of one packet from a capture file.
 *
 * A packet is identified by its source node and its sequence number at that node. If the fabric was
 * reset during the capture, several packets have the same number; then all of them are printed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/read.h"
#include "../common/array.h"
#include "../capture/capture.h"
#include "../report/json.h"
#include "../parse/integer.h"
#include "../parse/node.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "objects.h"
#include "print/output.h"
#include "../config/diag.h"

/**
 * struct explain - a search for a packet
 * @ctl: the call
 * @src: source of the packet
 * @seq: sequence number of the packet at its source
 * @reader: reader of the capture file
 * @steps: records of the packet in the file, without payload
 * @count: number of entries in @steps
 */
struct explain {
	struct ctl *ctl;
	struct parse_place src;
	uint32_t seq;
	struct capture_reader reader;
	struct capture_packet *steps;
	size_t count;
};

static bool is_it(const struct explain *e, const struct capture_packet *packet)
{
	unsigned int i;

	if (packet->wire.seq != e->seq)
		return false;
	if (!e->src.by_coords)
		return packet->wire.src == e->src.number;
	if (e->src.coords.count != e->reader.ndims)
		return false;
	for (i = 0; i < e->reader.ndims; i++)
		if (packet->coords[1][i] != e->src.coords.numbers[i])
			return false;
	return true;
}

static bool explain_keep(struct explain *e, const struct capture_packet *packet)
{
	struct capture_packet *step = torus_array_add(&e->steps, &e->count);

	if (!step)
		return false;
	*step = *packet;
	step->bytes = NULL;
	return true;
}

static int read_file(struct explain *e)
{
	struct capture_packet packet;
	int got;

	while ((got = capture_next(&e->reader, &packet)) > 0) {
		if (is_it(e, &packet) && !explain_keep(e, &packet)) {
			ctl_error(e->ctl, "%s: out of memory", e->reader.name);
			return CTL_FAILED;
		}
	}
	if (got < 0)
		return ctl_reject(e->ctl, "%s", e->reader.why.text);
	if (e->count)
		return CTL_OK;
	ctl_error(e->ctl, "%s: the file does not contain packet %u of node %s",
		  e->reader.name, e->seq, e->src.word);
	return CTL_FAILED;
}

/* -------------------------------------------------------------------- output */

static const char *coords_text(const struct explain *e, const uint16_t *coords, char *text)
{
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < e->reader.ndims; i++)
		used += (size_t)snprintf(text + used, PARSE_COORDS_MAX - used, "%s%u",
					 i ? "," : "", coords[i]);
	return text;
}

static const struct {
	unsigned int flag;
	const char *key;
	const char *text;
} verdicts[] = {
	{ TORUS_WIRE_LOST, "lost", "lost: the link is down" },
	{ TORUS_WIRE_HEADER, "header", "its header's CRC is wrong" },
	{ TORUS_WIRE_CRC, "crc", "its CRC is wrong" },
	{ TORUS_WIRE_ESCAPED, "escaped", "damaged, but no CRC detects it" },
	{ TORUS_WIRE_INVALID, "invalid", "forwarded before the error was found" },
};

static const char *verdict_key(const struct torus_wire *wire)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(verdicts); i++)
		if (wire->flags & verdicts[i].flag)
			return verdicts[i].key;
	return "ok";
}

/* Add the members that only the text output shows to the record of a packet. */
static void add_text(struct json_object *one, const struct torus_wire *wire)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(verdicts); i++)
		if (wire->flags & verdicts[i].flag)
			json_object_array_add(list, json_object_new_string(verdicts[i].text));
	json_object_object_add(one, "verdicts", list);
}

static const char explain_form[] =
	"{arch} packet {seq} of {src_coords} to {dst_coords}, {bytes} bytes on each link\n"
	"{#steps}{tick%12u}  {ns%-10T}  {coords} {dir} VC {vc}"
	"{!attempt=1}, sent again ({attempt}){/}"
	"{#verdicts}, {.}{/}{?last} -> there{/}\n{/}"
	"links {hops}, sent again {resends}, ticks from the first link to the last {ticks}\n";

static struct json_object *step_json(const struct explain *e, const struct capture_packet *step)
{
	struct json_object *one = json_object_new_object();
	char text[PARSE_COORDS_MAX], dir[PARSE_DIR_MAX];
	const struct torus_wire *wire = &step->wire;

	report_add_u64(one, "tick", wire->tick);
	report_add_double(one, "ns", output_ns(e->reader.tick_fs, (double)wire->tick));
	report_add_u64(one, "node", wire->node);
	report_add_text(one, "coords", coords_text(e, step->coords[0], text));
	report_add_text(one, "dir", parse_dir_name(wire->dir, dir, sizeof(dir)));
	report_add_u64(one, "vc", wire->vc);
	report_add_u64(one, "to", wire->peer);
	report_add_u64(one, "link_seq", wire->link_seq);
	report_add_u64(one, "attempt", wire->attempt);
	report_add_text(one, "verdict", verdict_key(wire));
	report_add_bool(one, "last", wire->peer == wire->dst);
	if (!e->ctl->json)
		add_text(one, wire);
	return one;
}

/*
 * Count the links that the packet crossed. Do not count retransmissions, whose attempt is above 1.
 */
static uint64_t hops(const struct explain *e)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < e->count; i++)
		n += e->steps[i].wire.attempt == 1;
	return n;
}

/*
 * Return the ticks from the packet's first record to its last. Return 0 if the last one has an
 * earlier tick, because the fabric was reset in between.
 */
static uint64_t ticks(const struct explain *e)
{
	uint64_t first = e->steps[0].wire.tick, last = e->steps[e->count - 1].wire.tick;

	return last > first ? last - first : 0;
}

static void explain_report(const struct explain *e)
{
	const struct capture_packet *first = &e->steps[0];
	struct json_object *doc = json_object_new_object(), *list = json_object_new_array();
	char text[PARSE_COORDS_MAX];
	size_t i;

	report_add_text(doc, "file", e->reader.name);
	report_add_text(doc, "fabric", e->reader.fabric);
	report_add_text(doc, "arch", first->wire.arch);
	report_add_u64(doc, "src", first->wire.src);
	report_add_text(doc, "src_coords", coords_text(e, first->coords[1], text));
	report_add_u64(doc, "dst", first->wire.dst);
	report_add_text(doc, "dst_coords", coords_text(e, first->coords[2], text));
	report_add_u64(doc, "seq", e->seq);
	report_add_u64(doc, "bytes", first->wire.bytes);
	report_add_u64(doc, "hops", hops(e));
	report_add_u64(doc, "resends", e->count - hops(e));
	report_add_u64(doc, "ticks", ticks(e));
	for (i = 0; i < e->count; i++)
		json_object_array_add(list, step_json(e, &e->steps[i]));
	json_object_object_add(doc, "steps", list);
	output_answer(e->ctl, doc, explain_form);
}

/* Parse FILE NODE N and print the path of the packet. */
static int explain(struct ctl *ctl, struct ctl_args *args)
{
	struct explain e = { .ctl = ctl };
	const char *file = ctl_next(args), *node = ctl_next(args), *seq = ctl_next(args);
	struct parse_error why;
	int status;

	if (!seq)
		return ctl_usage(ctl, !file ? "a file is missing" : !node ? "a node is missing" :
				 "the packet's number is missing");
	if (!parse_place(node, false, &e.src, &why) ||
	    !parse_u32("packet", seq, 0, UINT32_MAX, &e.seq, &why))
		return ctl_reject(ctl, "%s", why.text);
	status = ctl_end(ctl, args);
	if (status)
		return status;
	if (ctl->words_only)
		return CTL_WORDS;
	if (!capture_open(&e.reader, file))
		return ctl_reject(ctl, "%s", e.reader.why.text);
	status = read_file(&e);
	if (!status)
		explain_report(&e);
	capture_close(&e.reader);
	free(e.steps);
	return status;
}

static const struct ctl_command commands[] = {
	{ "", "FILE NODE N", explain },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_explain = {
	.name = "explain",
	.help = "the path of one packet in a capture file",
	.details = "NODE = source node of the packet; N = its number among the packets of this "
		   "node, from 0\n",
	.commands = commands,
};
