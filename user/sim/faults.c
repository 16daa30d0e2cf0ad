// SPDX-License-Identifier: GPL-2.0
/* --fault: what `torusctl link set` says behind the fabric's name, in one word. */
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "../torusctl/parse.h"
#include "faults.h"
#include "sim.h"

#define TEXT_MAX	256

/* A word with a number behind it: the fault's bit, and where the number goes. */
static const struct {
	const char *name;
	u32 what;
	size_t offset;
} counts[] = {
	{ "corrupt", TORUS_FAULT_CORRUPT, offsetof(struct torus_fault, corrupt) },
	{ "escape", TORUS_FAULT_ESCAPE, offsetof(struct torus_fault, escape) },
	{ "drop-ack", TORUS_FAULT_DROP_ACK, offsetof(struct torus_fault, drop_ack) },
	{ "corrupt-ack", TORUS_FAULT_CORRUPT_ACK, offsetof(struct torus_fault, corrupt_ack) },
	{ "ecc-single", TORUS_FAULT_ECC_SINGLE, offsetof(struct torus_fault, ecc_single) },
	{ "ecc-double", TORUS_FAULT_ECC_DOUBLE, offsetof(struct torus_fault, ecc_double) },
	{ "parity", TORUS_FAULT_PARITY, offsetof(struct torus_fault, parity) },
};

/* Words that say when; their bits are beside those of the faults. */
#define HAS_AT		(1u << 30)
#define HAS_FOR		(1u << 31)

static bool take_node(const struct torus_config *config, const char *word,
		      struct torus_fault *fault, struct parse_why *why)
{
	const struct torus_geometry *geo = &config->geo;
	struct parse_place place;
	u32 i;

	fault->node = TORUS_NONE;
	if (!parse_place(word, true, &place, why))
		return false;
	if (place.all)
		return true;
	fault->node = torus_node_index(geo, place.number);
	if (place.by_coords) {
		bool inside = place.coords.ndims == geo->ndims;

		for (i = 0; inside && i < geo->ndims; i++)
			inside = place.coords.dims[i] < geo->dims[i];
		fault->node = inside ? torus_geometry_node(geo, place.coords.dims) : TORUS_NONE;
	}
	if (fault->node < geo->nodes)
		return true;
	snprintf(why->text, sizeof(why->text), "node %s: outside the shape", word);
	return false;
}

static bool take_dir(const struct torus_config *config, const char *word,
		     struct torus_fault *fault, struct parse_why *why)
{
	fault->dir = TORUS_NONE;
	if (!strcmp(word, "all"))
		return true;
	if (!parse_dir(word, &fault->dir, why))
		return false;
	if (fault->dir < 2 * config->geo.ndims)
		return true;
	snprintf(why->text, sizeof(why->text), "direction %s: the shape has %u dimensions", word,
		 config->geo.ndims);
	return false;
}

static bool take_time(const struct torus_config *config, const char *key, const char *word,
		      u64 *ticks, struct parse_why *why)
{
	struct parse_duration time;
	u64 tick_fs = config->arch->tick_fs(config);

	if (!parse_duration(key, word, &time, why))
		return false;
	*ticks = time.fs ? time.fs / tick_fs + !!(time.fs % tick_fs) : time.ticks;
	return true;
}

/* A pair of words; @bit gets what it says. */
static bool take_pair(const struct torus_config *config, const char *key, const char *word,
		      struct torus_fault *fault, u32 *bit, struct parse_why *why)
{
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!strcmp(key, counts[i].name)) {
			*bit = counts[i].what;
			return parse_u32(key, word, 0, UINT32_MAX,
					 (u32 *)((char *)fault + counts[i].offset), why);
		}
	if (!strcmp(key, "state")) {
		*bit = TORUS_FAULT_STATE;
		fault->state = !strcmp(word, "up");
		if (fault->state || !strcmp(word, "down"))
			return true;
		snprintf(why->text, sizeof(why->text), "state %s: neither up nor down", word);
		return false;
	}
	if (!strcmp(key, "ber")) {
		uint64_t ber;

		*bit = TORUS_FAULT_BER;
		if (!parse_ber(word, &ber, why))
			return false;
		fault->ber = ber;
		return true;
	}
	if (!strcmp(key, "delay")) {
		*bit = TORUS_FAULT_DELAY;
		return take_time(config, key, word, &fault->delay, why);
	}
	if (!strcmp(key, "at")) {
		*bit = HAS_AT;
		return take_time(config, key, word, &fault->at, why);
	}
	if (!strcmp(key, "for")) {
		*bit = HAS_FOR;
		if (!take_time(config, key, word, &fault->lasts, why))
			return false;
		if (fault->lasts)
			return true;
		snprintf(why->text, sizeof(why->text), "for %s: that would be no time at all",
			 word);
		return false;
	}
	snprintf(why->text, sizeof(why->text), "%s: a link has no such thing", key);
	return false;
}

static bool take_words(const struct torus_config *config, char *text, struct torus_fault *fault,
		       struct parse_why *why)
{
	char *save = NULL;
	char *node = strtok_r(text, " ", &save);
	char *dir = strtok_r(NULL, " ", &save);
	u32 seen = 0;
	char *key;

	snprintf(why->text, sizeof(why->text),
		 "not NODE|all DIR|all FAULT... [at TICK] [for TICKS]");
	if (!dir)
		return false;
	if (!take_node(config, node, fault, why) || !take_dir(config, dir, fault, why))
		return false;
	while ((key = strtok_r(NULL, " ", &save))) {
		char *word = strtok_r(NULL, " ", &save);
		u32 bit = 0;

		if (!word) {
			snprintf(why->text, sizeof(why->text), "%s: its value is missing", key);
			return false;
		}
		if (!take_pair(config, key, word, fault, &bit, why))
			return false;
		if (seen & bit) {
			snprintf(why->text, sizeof(why->text), "%s: given twice", key);
			return false;
		}
		seen |= bit;
	}
	fault->what = seen & ~(HAS_AT | HAS_FOR);
	if (fault->what)
		return true;
	snprintf(why->text, sizeof(why->text), "there is nothing to set");
	return false;
}

/**
 * sim_fault_parse - understand a fault of links
 * @config: with its shape
 * @text: "NODE|all DIR|all FAULT... [at TICK] [for TICKS]", as torusctl link set takes it
 * @fault: gets it
 *
 * Return: whether it makes sense; if not, the word and the reason were told.
 */
bool sim_fault_parse(const struct torus_config *config, const char *text,
		     struct torus_fault *fault)
{
	char words[TEXT_MAX];
	struct parse_why why;

	*fault = (struct torus_fault){ .what = 0 };
	if (strlen(text) >= sizeof(words)) {
		sim_bad("--fault %s: longer than %d bytes", text, TEXT_MAX - 1);
		return false;
	}
	strcpy(words, text);
	if (take_words(config, words, fault, &why))
		return true;
	sim_bad("--fault %s: %s", text, why.text);
	return false;
}

/**
 * sim_faults_set - set the faults that were asked for
 * @fabric: a fresh one
 * @faults: they
 * @count: how many
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling why not.
 */
int sim_faults_set(struct torus_fabric *fabric, const struct torus_fault *faults,
		   unsigned int count)
{
	struct torus_error err;
	unsigned int i;

	for (i = 0; i < count; i++) {
		int ret = torus_fault_set(fabric, &faults[i], &err);

		if (ret)
			return ret == -ENOMEM ? sim_failed("--fault: %s", err.text) :
						sim_bad("--fault: %s", err.text);
	}
	return SIM_OK;
}
