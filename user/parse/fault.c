// SPDX-License-Identifier: GPL-2.0
/*
 * Parse changes of a link, for `torusctl link set` and `torus-sim run --fault`, and the state of a
 * node.
 */
#include <stddef.h>
#include <string.h>

#include "fault.h"
#include "integer.h"
#include "time.h"
#include "parse.h"

/* Keywords of a fault that are followed by a number. */
static const struct {
	const char *name;
	enum parse_fault_what what;
	size_t offset;
} counts[] = {
	{ "corrupt", PARSE_FAULT_CORRUPT, offsetof(struct parse_fault, corrupt) },
	{ "escape", PARSE_FAULT_ESCAPE, offsetof(struct parse_fault, escape) },
	{ "drop-ack", PARSE_FAULT_DROP_ACK, offsetof(struct parse_fault, drop_ack) },
	{ "drop-nack", PARSE_FAULT_DROP_NACK, offsetof(struct parse_fault, drop_nack) },
	{ "corrupt-ack", PARSE_FAULT_CORRUPT_ACK, offsetof(struct parse_fault, corrupt_ack) },
	{ "ecc-single", PARSE_FAULT_ECC_SINGLE, offsetof(struct parse_fault, ecc_single) },
	{ "ecc-double", PARSE_FAULT_ECC_DOUBLE, offsetof(struct parse_fault, ecc_double) },
	{ "parity", PARSE_FAULT_PARITY, offsetof(struct parse_fault, parity) },
};

/* Keywords of a fault that are followed by a time. */
static const struct {
	const char *name;
	enum parse_fault_what what;
	size_t offset;
} times[] = {
	{ "delay", PARSE_FAULT_DELAY, offsetof(struct parse_fault, delay) },
	{ "at", PARSE_FAULT_AT, offsetof(struct parse_fault, at) },
	{ "for", PARSE_FAULT_FOR, offsetof(struct parse_fault, lasting) },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static bool fault_switch(const char *key, const char *word, const char *on, const char *off,
			 bool *value, struct parse_error *why)
{
	*value = !strcmp(word, on);
	if (*value || !strcmp(word, off))
		return true;
	return parse_fail(why, "%s %s: must be %s or %s", key, word, on, off);
}

static const char *const senders[] = { "off", "on", "dead" };

/**
 * parse_sender_name - get the name of a sender's state
 * @sender: enum torus_sender_state
 *
 * Return: the name, or "unknown" for a value that this program does not know.
 */
const char *parse_sender_name(uint32_t sender)
{
	return sender < COUNT(senders) ? senders[sender] : "unknown";
}

static const char *const states[] = {
	[TORUS_NODE_DEAD] = "dead", [TORUS_NODE_ALIVE] = "alive", [TORUS_NODE_FAILED] = "failed",
};

/**
 * parse_node_state_name - get the name of a node's state
 * @state: enum torus_node_state
 *
 * Return: the name, or "unknown" for a value that this program does not know.
 */
const char *parse_node_state_name(uint32_t state)
{
	return state < COUNT(states) ? states[state] : "unknown";
}

/**
 * parse_node_state - parse the state of a node
 * @word: dead, alive or failed
 * @state: [out] enum torus_node_state
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_node_state(const char *word, uint32_t *state, struct parse_error *why)
{
	for (*state = 0; *state < COUNT(states); (*state)++)
		if (!strcmp(word, states[*state]))
			return true;
	return parse_fail(why, "state %s: must be dead, alive or failed", word);
}

static bool fault_sender(const char *word, uint32_t *sender, struct parse_error *why)
{
	for (*sender = 0; *sender < COUNT(senders); (*sender)++)
		if (!strcmp(word, senders[*sender]))
			return true;
	return parse_fail(why, "sender %s: must be on, off or dead", word);
}

/* Return the PARSE_FAULT_* flag of a keyword, or 0 if the keyword is unknown. */
static uint32_t fault_what(const char *key)
{
	size_t i;

	for (i = 0; i < COUNT(counts); i++)
		if (!strcmp(key, counts[i].name))
			return counts[i].what;
	for (i = 0; i < COUNT(times); i++)
		if (!strcmp(key, times[i].name))
			return times[i].what;
	if (!strcmp(key, "state"))
		return PARSE_FAULT_STATE;
	if (!strcmp(key, "sender"))
		return PARSE_FAULT_SENDER;
	return strcmp(key, "ber") ? 0 : PARSE_FAULT_BER;
}

static bool fault_value(struct parse_fault *fault, uint32_t what, const char *key, const char *word,
			struct parse_error *why)
{
	char *base = (char *)fault;
	size_t i;

	for (i = 0; i < COUNT(counts); i++)
		if (what == counts[i].what)
			return parse_u32(key, word, 0, ~0u, (uint32_t *)(base + counts[i].offset),
					 why);
	for (i = 0; i < COUNT(times); i++)
		if (what == times[i].what)
			return parse_time(key, word, (struct parse_time *)(base + times[i].offset),
					  why);
	if (what == PARSE_FAULT_STATE)
		return fault_switch(key, word, "up", "down", &fault->up, why);
	if (what == PARSE_FAULT_SENDER)
		return fault_sender(word, &fault->sender, why);
	return parse_ber(word, &fault->ber, why);
}

/**
 * parse_fault - parse KEY VALUE, one change of a link
 * @fault: [in, out] the changes parsed so far
 * @key: the keyword
 * @word: value of the keyword
 * @why: [out] reason for a rejection
 *
 * Return: false if the pair is rejected.
 */
bool parse_fault(struct parse_fault *fault, const char *key, const char *word,
		 struct parse_error *why)
{
	uint32_t what = fault_what(key);

	if (!what)
		return parse_fail(why, "unknown key of a link: %s", key);
	if (!fault_value(fault, what, key, word, why))
		return false;
	if (what == PARSE_FAULT_FOR && !fault->lasting.ticks && !fault->lasting.fs)
		return parse_fail(why, "for %s: must be above 0", word);
	if (fault->has & what)
		return parse_fail(why, "%s: must not be given twice", key);
	fault->has |= what;
	return true;
}

/**
 * parse_fault_any - check whether a fault changes the link
 * @fault: the changes that were parsed
 *
 * Return: false if no change was given, or only its time.
 */
bool parse_fault_any(const struct parse_fault *fault)
{
	return fault->has & ~(uint32_t)(PARSE_FAULT_AT | PARSE_FAULT_FOR);
}
