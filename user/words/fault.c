// SPDX-License-Identifier: GPL-2.0
/* What is to happen to a link: `torusctl link set`, `torus-sim run --fault`. */
#include <stddef.h>
#include <string.h>

#include "fault.h"
#include "number.h"
#include "time.h"
#include "words.h"

/* A word with a number behind it. */
static const struct {
	const char *name;
	enum word_fault_what what;
	size_t offset;
} counts[] = {
	{ "corrupt", WORD_FAULT_CORRUPT, offsetof(struct word_fault, corrupt) },
	{ "escape", WORD_FAULT_ESCAPE, offsetof(struct word_fault, escape) },
	{ "drop-ack", WORD_FAULT_DROP_ACK, offsetof(struct word_fault, drop_ack) },
	{ "drop-nack", WORD_FAULT_DROP_NACK, offsetof(struct word_fault, drop_nack) },
	{ "corrupt-ack", WORD_FAULT_CORRUPT_ACK, offsetof(struct word_fault, corrupt_ack) },
	{ "ecc-single", WORD_FAULT_ECC_SINGLE, offsetof(struct word_fault, ecc_single) },
	{ "ecc-double", WORD_FAULT_ECC_DOUBLE, offsetof(struct word_fault, ecc_double) },
	{ "parity", WORD_FAULT_PARITY, offsetof(struct word_fault, parity) },
};

/* A word with a time behind it. */
static const struct {
	const char *name;
	enum word_fault_what what;
	size_t offset;
} times[] = {
	{ "delay", WORD_FAULT_DELAY, offsetof(struct word_fault, delay) },
	{ "at", WORD_FAULT_AT, offsetof(struct word_fault, at) },
	{ "for", WORD_FAULT_FOR, offsetof(struct word_fault, lasting) },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static bool fault_switch(const char *key, const char *word, const char *on, const char *off,
			 bool *value, struct word_why *why)
{
	*value = !strcmp(word, on);
	if (*value || !strcmp(word, off))
		return true;
	return word_refuse(why, "%s %s: neither %s nor %s", key, word, on, off);
}

static const char *const senders[] = { "off", "on", "dead" };

/**
 * word_sender_name - what a link's sender may do, in a word
 * @sender: it
 *
 * Return: the word, "unknown" of what this program has not heard of.
 */
const char *word_sender_name(__u32 sender)
{
	return sender < COUNT(senders) ? senders[sender] : "unknown";
}

static const char *const states[] = {
	[TORUS_NODE_DEAD] = "dead", [TORUS_NODE_ALIVE] = "alive", [TORUS_NODE_FAILED] = "failed",
};

/**
 * word_node_state_name - how a node is, in a word
 * @state: enum torus_node_state
 *
 * Return: the word, "unknown" of what this program has not heard of.
 */
const char *word_node_state_name(__u32 state)
{
	return state < COUNT(states) ? states[state] : "unknown";
}

/**
 * word_node_state - understand how a node shall be
 * @word: dead, alive or failed
 * @state: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool word_node_state(const char *word, __u32 *state, struct word_why *why)
{
	for (*state = 0; *state < COUNT(states); (*state)++)
		if (!strcmp(word, states[*state]))
			return true;
	return word_refuse(why, "state %s: none of dead, alive, failed", word);
}

static bool fault_sender(const char *word, __u32 *sender, struct word_why *why)
{
	for (*sender = 0; *sender < COUNT(senders); (*sender)++)
		if (!strcmp(word, senders[*sender]))
			return true;
	return word_refuse(why, "sender %s: none of on, off, dead", word);
}

/* What a word stands for; 0 if it is none of a link's. */
static __u32 fault_what(const char *key)
{
	size_t i;

	for (i = 0; i < COUNT(counts); i++)
		if (!strcmp(key, counts[i].name))
			return counts[i].what;
	for (i = 0; i < COUNT(times); i++)
		if (!strcmp(key, times[i].name))
			return times[i].what;
	if (!strcmp(key, "state"))
		return WORD_FAULT_STATE;
	if (!strcmp(key, "sender"))
		return WORD_FAULT_SENDER;
	return strcmp(key, "ber") ? 0 : WORD_FAULT_BER;
}

static bool fault_value(struct word_fault *fault, __u32 what, const char *key, const char *word,
			struct word_why *why)
{
	char *base = (char *)fault;
	size_t i;

	for (i = 0; i < COUNT(counts); i++)
		if (what == counts[i].what)
			return word_u32(key, word, 0, ~0u, (__u32 *)(base + counts[i].offset),
					why);
	for (i = 0; i < COUNT(times); i++)
		if (what == times[i].what)
			return word_time(key, word, (struct word_time *)(base + times[i].offset),
					 why);
	if (what == WORD_FAULT_STATE)
		return fault_switch(key, word, "up", "down", &fault->up, why);
	if (what == WORD_FAULT_SENDER)
		return fault_sender(word, &fault->sender, why);
	return word_ber(word, &fault->ber, why);
}

/**
 * word_fault - take one pair of words
 * @fault: what has been taken so far; gets what they say
 * @key: the first word: what it is
 * @word: the second: its value
 * @why: gets the reason
 *
 * Return: whether they make sense.
 */
bool word_fault(struct word_fault *fault, const char *key, const char *word,
		struct word_why *why)
{
	__u32 what = fault_what(key);

	if (!what)
		return word_refuse(why, "%s: a link has no such thing", key);
	if (!fault_value(fault, what, key, word, why))
		return false;
	if (what == WORD_FAULT_FOR && !fault->lasting.ticks && !fault->lasting.fs)
		return word_refuse(why, "for %s: that would be no time at all", word);
	if (fault->has & what)
		return word_refuse(why, "%s: given twice", key);
	fault->has |= what;
	return true;
}

/**
 * word_fault_any - does anything happen to the link at all?
 * @fault: what was taken
 *
 * Return: whether there is more than a time when.
 */
bool word_fault_any(const struct word_fault *fault)
{
	return fault->has & ~(__u32)(WORD_FAULT_AT | WORD_FAULT_FOR);
}
