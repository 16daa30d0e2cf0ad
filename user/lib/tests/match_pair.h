/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The matching of ranks 0 and 1 in one thread.  everywhere() runs a test on both machines of the
 * fake kernel, on ordered and on dynamic routes.
 */
#ifndef TORUS_TESTS_MATCH_PAIR_H
#define TORUS_TESTS_MATCH_PAIR_H

#include "../match/match.h"
#include "pair.h"

#define LENGTH_MAX	100000u
#define NO_TAG		(~0ull)	/* stands for a message or receive without a tag */
#define UNTOUCHED	0xee

/**
 * struct match_pair - the two ranks
 * @pair: the jobs
 * @a: matching of rank 0
 * @b: matching of rank 1
 * @sent: LENGTH_MAX bytes, from which messages are sent
 * @got: LENGTH_MAX bytes to receive messages
 * @event: the event that was read last
 */
struct match_pair {
	struct pair pair;
	struct torus_match *a;
	struct torus_match *b;
	unsigned char *sent;
	unsigned char *got;
	struct torus_match_event event;
};

extern struct match_pair test;

void match_start(bool ordered);
void match_stop(void);
void everywhere(void (*one)(void), const struct torus_match_config *config);
void lose_after(unsigned int skip);
void send_from(struct torus_match *from, uint32_t dest, __u64 tag, size_t offset,
	       size_t length, unsigned int flags, void *context);
void send_b(__u64 tag, size_t offset, size_t length);
void send_numbered(uint32_t id, __u64 tag, size_t length);
void post(struct torus_match *to, uint32_t source, __u64 tag, __u64 ignore, void *buffer,
	  size_t size, void *context);
void post_b(__u64 tag, size_t size, void *context);
const struct torus_match_event *event_of(struct torus_match *match, const void *context);
void no_event(struct torus_match *match);
uint32_t received_numbered(uint32_t (*length_of)(uint32_t));
void received(const void *context, __u64 tag, size_t offset, size_t length);

#endif /* TORUS_TESTS_MATCH_PAIR_H */
