// SPDX-License-Identifier: GPL-2.0
/* Convert links and their counters to records. */
#include <string.h>

#include "../../report/json.h"
#include "../../report/report.h"
#include "../../parse/fault.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "link.h"
#include "output.h"
#include "../../config/node_addr.h"
#include "uapi_tables.h"

#define BER_BITS	64

static const char *const stalls[TORUS_STALL_MAX] = {
	[TORUS_STALL_TOKEN] = "token",
	[TORUS_STALL_LOST] = "lost",
	[TORUS_STALL_BUBBLE] = "bubble",
	[TORUS_STALL_BUS] = "bus",
};

static uint64_t sum(const __u64 *values, unsigned int count)
{
	uint64_t total = 0;

	while (count)
		total += values[--count];
	return total;
}

/* Return the number of VCs of each link of a fabric. */
unsigned int link_vcs(const struct torus_nl_fabric *fabric)
{
	const struct report_context context = { .vcs = fabric->vcs };

	return report_vcs(&context);
}

/* Return the name of a VC, in @text if necessary. */
const char *link_vc_name(const struct torus_nl_fabric *fabric, unsigned int vc, char *text,
			 size_t size)
{
	const struct report_context context = { .vcs = fabric->vcs };

	return report_vc_name(&context, vc, text, size);
}

/* Return the name of a reason for stalls. The other parameters are those of link_vc_name(). */
const char *link_stall_name(const struct torus_nl_fabric *fabric, unsigned int stall, char *text,
			    size_t size)
{
	(void)fabric;
	(void)text;
	(void)size;
	return stalls[stall];
}

#define ADD(name, unit, ...)	report_add_u64(object, #name, counters->name);
#define FORM(name, unit, ...)	" " #name " {" #name "}"

/* Add the counters of a link to its record. */
static void add_counters(struct json_object *object, const struct torus_nl_fabric *fabric,
			 const struct torus_link_counters *counters)
{
	struct json_object *stall = json_object_new_object();
	struct json_object *list = json_object_new_array();
	unsigned int vcs = link_vcs(fabric);
	unsigned int i;
	char name[16];

	report_add_u64(object, "packets", sum(counters->packets, TORUS_VCS_MAX));
	report_add_u64(object, "chunks", sum(counters->chunks, TORUS_VCS_MAX));
	TORUS_EACH_LINK_COUNTER(ADD)
	for (i = 0; i < TORUS_STALL_MAX; i++)
		report_add_u64(stall, stalls[i], counters->stalls[i]);
	json_object_object_add(object, "stalls", stall);
	for (i = 0; i < vcs; i++) {
		struct json_object *vc = json_object_new_object();

		report_add_text(vc, "name", link_vc_name(fabric, i, name, sizeof(name)));
		report_add_u64(vc, "packets", counters->packets[i]);
		report_add_u64(vc, "chunks", counters->chunks[i]);
		json_object_array_add(list, vc);
	}
	json_object_object_add(object, "vc", list);
}

static void add_name(struct json_object *object, const struct torus_nl_fabric *fabric,
		     const struct torus_nl_link *link)
{
	char dir[OUTPUT_TEXT_MAX];

	output_node(object, fabric, link->node);
	report_add_text(object, "dir", parse_dir_name(link->dir, dir, sizeof(dir)));
}

/**
 * link_json - convert a link to a record
 * @ctl: the call; with option --statistics the record has all counters
 * @fabric: fabric of the link
 * @link: the link
 *
 * Return: the record; link_form formats it as text.
 */
struct json_object *link_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
			      const struct torus_nl_link *link)
{
	struct json_object *object = json_object_new_object();
	char to[PLACE_TEXT_MAX];

	add_name(object, fabric, link);
	report_add_u64(object, "peer", link->peer);
	if (!ctl->json)
		report_add_text(object, "to", place_text(fabric, link->peer, to, sizeof(to)));
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_STATE))
		report_add_text(object, "state", link->state ? "up" : "down");
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_SENDER))
		report_add_text(object, "sender", parse_sender_name(torus_nl_link_sender(link)));
	report_add_u64(object, "tx_crc", link->tx_crc);
	report_add_u64(object, "rx_crc", link->rx_crc);
	report_add_bool(object, "crc_equal", link->tx_crc == link->rx_crc);
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_BER)) {
		report_add_double(object, "ber", parse_double(link->ber, BER_BITS));
		report_add_u64(object, "corrupt", link->corrupt);
		report_add_u64(object, "escape", link->escape);
		report_add_u64(object, "drop_ack", link->drop_ack);
		report_add_u64(object, "drop_nack", link->drop_nack);
		report_add_u64(object, "corrupt_ack", link->corrupt_ack);
		report_add_u64(object, "delay_ticks", link->delay_ticks);
		report_add_u64(object, "ecc_single", link->ecc_single);
		report_add_u64(object, "ecc_double", link->ecc_double);
		report_add_u64(object, "parity", link->parity);
		report_add_bool(object, "stop_retransmit", link->control & TORUS_LINK_NO_RESEND);
		report_add_bool(object, "stop_receive", link->control & TORUS_LINK_DEAF);
		report_add_bool(object, "loopback", link->control & TORUS_LINK_LOOPBACK);
		report_add_bool(object, "parked", link->control & TORUS_LINK_PARKED);
	}
	if (!(link->present & TORUS_NL_HAS(TORUS_A_COUNTERS)))
		return object;
	if (ctl->statistics) {
		add_counters(object, fabric, &link->counters);
	} else {
		report_add_u64(object, "busy_ticks", link->counters.busy_ticks);
		report_add_u64(object, "packets", sum(link->counters.packets, TORUS_VCS_MAX));
		report_add_u64(object, "resends", link->counters.resends);
	}
	return object;
}

/**
 * link_counters_json - convert the counters of a link to a record
 * @fabric: fabric of the link
 * @link: node, direction and counters
 *
 * Return: the record; link_counters_form formats it as text.
 */
struct json_object *link_counters_json(const struct torus_nl_fabric *fabric,
				       const struct torus_nl_link *link)
{
	struct json_object *object = json_object_new_object();

	add_name(object, fabric, link);
	add_counters(object, fabric, &link->counters);
	return object;
}

#define COUNTERS_LINES \
	"   {#vc} {name} {packets}/{chunks}{/} packets/chunks\n" \
	"    stalls{#stalls} {@} {.}{/}\n" \
	"   " TORUS_EACH_LINK_COUNTER(FORM) "\n"

const char link_counters_form[] =
	OUTPUT_PLACE " {dir} packets {packets} busy {busy_ticks} ticks\n" COUNTERS_LINES;

const char link_form[] =
	OUTPUT_PLACE " {dir} -> {to}{?state=up} up{/}{?state=down} DOWN{/}"
	"{?sender=off} sender OFF{/}{?sender=dead} sender DEAD{/}"
	"{+busy_ticks} busy {busy_ticks} packets {packets} resends {resends}{/}"
	" crc {tx_crc%08x} {rx_crc%08x}{!crc_equal} DIFFER{/}"
	"{?ber} ber {ber%.6g}{/}{?corrupt} corrupt {corrupt}{/}{?escape} escape {escape}{/}"
	"{?drop_ack} drop-ack {drop_ack}{/}{?drop_nack} drop-nack {drop_nack}{/}"
	"{?corrupt_ack} corrupt-ack {corrupt_ack}{/}{?ecc_single} ecc-single {ecc_single}{/}"
	"{?ecc_double} ecc-double {ecc_double}{/}{?parity} parity {parity}{/}"
	"{?delay_ticks} delay {delay_ticks}{/}{?stop_retransmit} stop-retransmit{/}"
	"{?stop_receive} stop-receive{/}{?loopback} loopback{/}{?parked} parked{/}\n"
	"{?stalls}" COUNTERS_LINES "{/}";
