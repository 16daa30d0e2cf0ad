// SPDX-License-Identifier: GPL-2.0
/* A link and its counters, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../report/report.h"
#include "../words/words.h"
#include "linkprint.h"
#include "output.h"
#include "place.h"

#define BER_BITS	64

static const char *const stalls[TORUS_STALL_MAX] = {
	[TORUS_STALL_TOKEN] = "token",
	[TORUS_STALL_LOST] = "lost",
	[TORUS_STALL_BUBBLE] = "bubble",
	[TORUS_STALL_BUS] = "bus",
};

/* Counters of a link that are one number each, under the names of the JSON. */
struct link_number {
	const char *name;
	uint64_t value;
};

#define LINK_NUMBERS	10

static void link_numbers(const struct torus_link_counters *counters,
			 struct link_number numbers[LINK_NUMBERS])
{
	const struct link_number all[LINK_NUMBERS] = {
		{ "busy_ticks", counters->busy_ticks },
		{ "resends", counters->resends },
		{ "acks", counters->acks },
		{ "crc_header_errors", counters->crc_header_errors },
		{ "crc_packet_errors", counters->crc_packet_errors },
		{ "sequence_errors", counters->sequence_errors },
		{ "ack_errors", counters->ack_errors },
		{ "invalid", counters->invalid },
		{ "timeouts", counters->timeouts },
		{ "escapes", counters->escapes },
	};

	memcpy(numbers, all, sizeof(all));
}

static uint64_t sum(const __u64 *values, unsigned int count)
{
	uint64_t total = 0;

	while (count)
		total += values[--count];
	return total;
}

static unsigned int link_vcs(const struct torus_nl_fabric *fabric)
{
	const struct report_context context = { .vcs = fabric->vcs };

	return report_vcs(&context);
}

static const char *link_vc_name(const struct torus_nl_fabric *fabric, unsigned int vc, char *text,
				size_t size)
{
	const struct report_context context = { .vcs = fabric->vcs };

	return report_vc_name(&context, vc, text, size);
}

/* The counters into an object that names the link already. */
static void add_counters(struct json_object *object, const struct torus_nl_fabric *fabric,
			 const struct torus_link_counters *counters)
{
	struct json_object *stall = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct link_number numbers[LINK_NUMBERS];
	unsigned int vcs = link_vcs(fabric);
	unsigned int i;
	char name[16];

	report_add_u64(object, "packets", sum(counters->packets, TORUS_VCS_MAX));
	report_add_u64(object, "chunks", sum(counters->chunks, TORUS_VCS_MAX));
	link_numbers(counters, numbers);
	for (i = 0; i < LINK_NUMBERS; i++)
		report_add_u64(object, numbers[i].name, numbers[i].value);
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
	report_add_text(object, "dir", word_dir_name(link->dir, dir, sizeof(dir)));
}

/**
 * link_json - a link as JSON
 * @ctl: the call; with statistics, the counters are there in full
 * @fabric: of which fabric
 * @link: the link
 *
 * Return: the object.
 */
struct json_object *link_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
			      const struct torus_nl_link *link)
{
	struct json_object *object = json_object_new_object();

	add_name(object, fabric, link);
	report_add_u64(object, "peer", link->peer);
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_STATE))
		report_add_text(object, "state", link->state ? "up" : "down");
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_SENDER))
		report_add_text(object, "sender", word_sender_name(torus_nl_link_sender(link)));
	report_add_u64(object, "tx_crc", link->tx_crc);
	report_add_u64(object, "rx_crc", link->rx_crc);
	report_add_bool(object, "crc_equal", link->tx_crc == link->rx_crc);
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_BER)) {
		report_add_double(object, "ber", word_double(link->ber, BER_BITS));
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

static void link_faults_text(const struct torus_nl_link *link)
{
	if (link->ber)
		printf(" ber %.6g", word_double(link->ber, BER_BITS));
	if (link->corrupt)
		printf(" corrupt %" PRIu32, link->corrupt);
	if (link->escape)
		printf(" escape %" PRIu32, link->escape);
	if (link->drop_ack)
		printf(" drop-ack %" PRIu32, link->drop_ack);
	if (link->drop_nack)
		printf(" drop-nack %" PRIu32, link->drop_nack);
	if (link->corrupt_ack)
		printf(" corrupt-ack %" PRIu32, link->corrupt_ack);
	if (link->ecc_single)
		printf(" ecc-single %" PRIu32, link->ecc_single);
	if (link->ecc_double)
		printf(" ecc-double %" PRIu32, link->ecc_double);
	if (link->parity)
		printf(" parity %" PRIu32, link->parity);
	if (link->delay_ticks)
		printf(" delay %" PRIu64, link->delay_ticks);
	if (link->control & TORUS_LINK_NO_RESEND)
		fputs(" stop-retransmit", stdout);
	if (link->control & TORUS_LINK_DEAF)
		fputs(" stop-receive", stdout);
	if (link->control & TORUS_LINK_LOOPBACK)
		fputs(" loopback", stdout);
	if (link->control & TORUS_LINK_PARKED)
		fputs(" parked", stdout);
}

static void counters_text(const struct torus_nl_fabric *fabric,
			  const struct torus_link_counters *counters)
{
	struct link_number numbers[LINK_NUMBERS];
	unsigned int vcs = link_vcs(fabric);
	unsigned int i;
	char name[16];

	fputs("   ", stdout);
	for (i = 0; i < vcs; i++)
		printf(" %s %" PRIu64 "/%" PRIu64, link_vc_name(fabric, i, name, sizeof(name)),
		       (uint64_t)counters->packets[i], (uint64_t)counters->chunks[i]);
	fputs(" packets/chunks\n    stalls", stdout);
	for (i = 0; i < TORUS_STALL_MAX; i++)
		printf(" %s %" PRIu64, stalls[i], (uint64_t)counters->stalls[i]);
	fputs("\n   ", stdout);
	link_numbers(counters, numbers);
	for (i = 0; i < LINK_NUMBERS; i++)
		printf(" %s %" PRIu64, numbers[i].name, numbers[i].value);
	putchar('\n');
}

/**
 * link_text - a link for people, one line
 * @ctl: the call; with statistics, its counters follow
 * @fabric: of which fabric
 * @link: the link
 */
void link_text(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
	       const struct torus_nl_link *link)
{
	char from[PLACE_TEXT_MAX];
	char to[PLACE_TEXT_MAX];
	char dir[OUTPUT_TEXT_MAX];

	printf("%s %s -> %s", place_text(fabric, link->node, from, sizeof(from)),
	       word_dir_name(link->dir, dir, sizeof(dir)),
	       place_text(fabric, link->peer, to, sizeof(to)));
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_STATE))
		printf(" %s", link->state ? "up" : "DOWN");
	if (link->present & TORUS_NL_HAS(TORUS_A_LINK_SENDER) && !link->sender)
		fputs(link->control & TORUS_LINK_DEAD ? " sender DEAD" : " sender OFF", stdout);
	if (link->present & TORUS_NL_HAS(TORUS_A_COUNTERS))
		printf(" busy %" PRIu64 " packets %" PRIu64 " resends %" PRIu64,
		       (uint64_t)link->counters.busy_ticks,
		       sum(link->counters.packets, TORUS_VCS_MAX),
		       (uint64_t)link->counters.resends);
	printf(" crc %08" PRIx32 " %08" PRIx32, link->tx_crc, link->rx_crc);
	if (link->tx_crc != link->rx_crc)
		fputs(" DIFFER", stdout);
	link_faults_text(link);
	putchar('\n');
	if (ctl->statistics && (link->present & TORUS_NL_HAS(TORUS_A_COUNTERS)))
		counters_text(fabric, &link->counters);
}

/**
 * link_counters_json - the counters of a link as JSON
 * @fabric: of which fabric
 * @link: node, direction and counters
 *
 * Return: the object.
 */
struct json_object *link_counters_json(const struct torus_nl_fabric *fabric,
				       const struct torus_nl_link *link)
{
	struct json_object *object = json_object_new_object();

	add_name(object, fabric, link);
	add_counters(object, fabric, &link->counters);
	return object;
}

/**
 * link_counters_text - the counters of a link for people
 * @fabric: of which fabric
 * @link: node, direction and counters
 */
void link_counters_text(const struct torus_nl_fabric *fabric, const struct torus_nl_link *link)
{
	char from[PLACE_TEXT_MAX];
	char dir[OUTPUT_TEXT_MAX];

	printf("%s %s packets %" PRIu64 " busy %" PRIu64 " ticks\n",
	       place_text(fabric, link->node, from, sizeof(from)),
	       word_dir_name(link->dir, dir, sizeof(dir)),
	       sum(link->counters.packets, TORUS_VCS_MAX),
	       (uint64_t)link->counters.busy_ticks);
	counters_text(fabric, &link->counters);
}
