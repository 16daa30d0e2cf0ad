// SPDX-License-Identifier: GPL-2.0
/*
 * The option --fault. Its value has the syntax of the arguments of `torusctl link set`, without the
 * fabric's name.
 */
#include <string.h>

#include "../../parse/fault.h"
#include "../../parse/time.h"
#include "../../parse/parse.h"
#include "faults.h"
#include "../base/message.h"
#include "../base/selector.h"

#define TEXT_MAX	256

/* Table of faults: flag of the parser, and flag of the core. */
static const struct {
	enum parse_fault_what what;
	u32 bit;
} bits[] = {
	{ PARSE_FAULT_STATE, TORUS_FAULT_STATE },
	{ PARSE_FAULT_BER, TORUS_FAULT_BER },
	{ PARSE_FAULT_DELAY, TORUS_FAULT_DELAY },
	{ PARSE_FAULT_CORRUPT, TORUS_FAULT_CORRUPT },
	{ PARSE_FAULT_ESCAPE, TORUS_FAULT_ESCAPE },
	{ PARSE_FAULT_DROP_ACK, TORUS_FAULT_DROP_ACK },
	{ PARSE_FAULT_DROP_NACK, TORUS_FAULT_DROP_NACK },
	{ PARSE_FAULT_CORRUPT_ACK, TORUS_FAULT_CORRUPT_ACK },
	{ PARSE_FAULT_ECC_SINGLE, TORUS_FAULT_ECC_SINGLE },
	{ PARSE_FAULT_ECC_DOUBLE, TORUS_FAULT_ECC_DOUBLE },
	{ PARSE_FAULT_PARITY, TORUS_FAULT_PARITY },
};

static void take_values(const struct torus_config *config, const struct parse_fault *words,
			struct torus_fault *fault)
{
	u64 tick_fs = config->arch->tick_fs(config);
	size_t i;

	fault->state = words->up;
	fault->ber = words->ber;
	fault->corrupt = words->corrupt;
	fault->escape = words->escape;
	fault->drop_ack = words->drop_ack;
	fault->drop_nack = words->drop_nack;
	fault->corrupt_ack = words->corrupt_ack;
	fault->ecc_single = words->ecc_single;
	fault->ecc_double = words->ecc_double;
	fault->parity = words->parity;
	fault->delay = parse_time_ticks(&words->delay, tick_fs);
	fault->at = parse_time_ticks(&words->at, tick_fs);
	fault->lasts = parse_time_ticks(&words->lasting, tick_fs);
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (words->has & bits[i].what)
			fault->what |= bits[i].bit;
}

static bool take_words(const struct torus_config *config, char *text, struct torus_fault *fault,
		       struct parse_error *why)
{
	struct parse_fault words = { .has = 0 };
	char *save = NULL;
	char *node = strtok_r(text, " ", &save);
	char *dir = strtok_r(NULL, " ", &save);
	char *key;

	if (!dir)
		return parse_fail(why, "must be NODE|all DIR|all FAULT... [at TICK] [for TICKS]");
	if (!sim_select_node(config, node, &fault->node, why) ||
	    !sim_select_dir(config, dir, &fault->dir, why))
		return false;
	while ((key = strtok_r(NULL, " ", &save))) {
		char *word = strtok_r(NULL, " ", &save);

		if (!word)
			return parse_fail(why, "%s: its value is missing", key);
		if (!parse_fault(&words, key, word, why))
			return false;
	}
	/* Reject a fault of the sender: only a register can disable a sender. */
	if (words.has & PARSE_FAULT_SENDER)
		return parse_fail(why, "sender: unknown key of a link");
	take_values(config, &words, fault);
	return fault->what || parse_fail(why, "a fault is missing");
}

/**
 * sim_fault_parse - parse a fault of links
 * @config: configuration, whose shape is set
 * @text: "NODE|all DIR|all FAULT... [at TICK] [for TICKS]", as in torusctl link set
 * @fault: [out] the fault
 *
 * Return: true on success; false after an error message.
 */
bool sim_fault_parse(const struct torus_config *config, const char *text,
		     struct torus_fault *fault)
{
	char words[TEXT_MAX];
	struct parse_error why;

	*fault = (struct torus_fault){ .what = 0 };
	if (strlen(text) >= sizeof(words)) {
		sim_reject("--fault %s: must be at most %d bytes long", text, TEXT_MAX - 1);
		return false;
	}
	strcpy(words, text);
	if (take_words(config, words, fault, &why))
		return true;
	sim_reject("--fault %s: %s", text, why.text);
	return false;
}

/**
 * sim_faults_set - schedule the faults of --fault
 * @fabric: a fabric that has not run yet
 * @faults: the faults
 * @count: number of faults
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_faults_set(struct torus_fabric *fabric, const struct torus_fault *faults,
		   unsigned int count)
{
	struct torus_error err;
	unsigned int i;

	for (i = 0; i < count; i++) {
		int ret = torus_fault_set(fabric, &faults[i], &err);

		if (ret)
			return ret == -ENOMEM ? sim_error("--fault: %s", err.text) :
						sim_reject("--fault: %s", err.text);
	}
	return SIM_OK;
}
