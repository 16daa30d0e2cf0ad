// SPDX-License-Identifier: GPL-2.0
/*
 * The processes of a simulation, over a transport.  Each joint action starts with a frame in which
 * each process shares its next action with all.  If a process ends, all know why, and end, too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../common/escape.h"
#include "core/run/fabric.h"
#include "core/state/domain.h"
#include "core/state/mail.h"
#include "procs.h"
#include "transport.h"
#include "mpi_loader.h"

#define TEXT_MAX	4096
#define HOST_MAX	256	/* of a machine's name */
#define FAILED		1	/* how a process ends that could not do what it should */

/* What ranks do together. */
enum doing {
	MEET,
	PASS,
	END,
};

/**
 * struct frame - what a rank is about to do
 * @doing: enum doing
 * @status: how it ends (END)
 * @mail: bit r: it sends mail to rank r (MEET)
 * @bytes: that it passes (PASS, END)
 * @published: of its domains (MEET)
 */
struct frame {
	u32 doing;
	s32 status;
	u64 mail;
	u64 bytes;
	struct torus_published published;
};

_Static_assert(TORUS_DOMAINS_MAX <= 64, "ranks are a mask of 64 bits");

/* Bytes that grow. */
struct bytes {
	char *data;
	size_t used;
	size_t room;
};

/**
 * struct sim_procs - the ranks as this process knows them
 * @ranks: as a fabric knows them
 * @transport: that connects them; NULL: there are none
 * @frames: of all ranks
 * @sizes: bytes that each passes
 * @mail: what goes to each rank
 * @got: what was passed
 * @hello: what each is
 * @text: why this rank ended
 * @held: the first rank, too, keeps what it would tell
 * @thread: that calls the transport
 */
static struct {
	struct torus_ranks ranks;
	struct sim_transport *transport;
	struct frame *frames;
	size_t *sizes;
	struct bytes *mail;
	struct bytes got;
	struct hello *hello;
	char text[TEXT_MAX];
	bool held;
	pthread_t thread;
} team;

/* Their transport tells the others that this one has gone. */
static void ranks_no_memory(void)
{
	fprintf(stderr, "torus-sim: rank %u: no memory for what ranks tell each other\n",
		team.ranks.rank);
	_exit(SIM_TRANSPORT_REPORTED);
}

static char *bytes_room(struct bytes *b, size_t more)
{
	if (b->used + more > b->room) {
		b->room = 2 * (b->used + more);
		b->data = realloc(b->data, b->room);
		if (!b->data)
			ranks_no_memory();
	}
	b->used += more;
	return b->data + b->used - more;
}

static void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n)
		memcpy(bytes_room(b, n), data, n);
}

/* Return: what follows. */
static const char *bytes_take(void *to, const char *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
	return from + n;
}

/* Everybody's bytes, whose sizes the frames have. */
static size_t ranks_gather(const void *own)
{
	size_t sum = 0;
	u32 i;

	for (i = 0; i < team.ranks.count; i++) {
		team.sizes[i] = team.frames[i].bytes;
		sum += team.sizes[i];
	}
	team.got.used = 0;
	team.transport->gather(team.transport, own, bytes_room(&team.got, sum + 1), team.sizes);
	/* texts end somewhere */
	team.got.data[sum] = '\0';
	return sum;
}

/* This process is alone from here on. */
static void ranks_leave(void)
{
	u32 i;

	team.transport->end(team.transport);
	team.transport = NULL;
	for (i = 0; i < team.ranks.count; i++)
		free(team.mail[i].data);
	free(team.mail);
	free(team.sizes);
	free(team.frames);
	free(team.hello);
	free(team.got.data);
}

/* A line of another rank, on standard error. */
static void ranks_say(u32 rank, int length, const char *text)
{
	torus_escape_message(stderr, "torus-sim: rank %u: %.*s\n", rank, length, text);
}

/*
 * Some ranks have ended: why the first of those did that did not end well is told, and all end.
 * What a launcher sees is how the first rank ends.
 */
static int ranks_ended(const char *text)
{
	u32 i, first = team.ranks.count;
	const char *told;
	int status = 0;

	/* nothing else is passed any more */
	for (i = 0; i < team.ranks.count; i++)
		if (team.frames[i].doing != END)
			team.frames[i].bytes = 0;
	ranks_gather(text);
	told = team.got.data;
	for (i = 0; i < team.ranks.count; told += team.sizes[i++]) {
		if (team.frames[i].doing != END || !team.frames[i].status)
			continue;
		if (first == team.ranks.count) {
			first = i;
			status = team.frames[i].status;
		}
		/* the first rank has told its own reason itself */
		if (first == i && i && !team.ranks.rank)
			ranks_say(i, (int)team.sizes[i], told);
	}
	ranks_leave();
	return team.ranks.rank ? 0 : status;
}

/* All say what they do.  It is the same, or the end of all. */
static void ranks_share(const struct frame *own)
{
	u32 i;

	team.transport->share(team.transport, own, team.frames, sizeof(*own));
	if (own->doing == END)
		return;
	for (i = 0; i < team.ranks.count; i++)
		if (team.frames[i].doing == END)
			exit(ranks_ended(""));
	for (i = 0; i < team.ranks.count; i++)
		if (team.frames[i].doing != own->doing)
			abort();
}

/* This rank ends, and with it all, where the others are about to share. */
static void ranks_quit(const char *text)
{
	if (team.ranks.rank)
		sim_procs_hush(text);
	else
		torus_escape_message(stderr, "torus-sim: rank 0: %s\n", text);
	exit(sim_procs_end(FAILED));
}

/* ---------------------------------------------------------------------- mail */

/* Mail of a domain to another rank's, in front of its events, packets and bodies. */
struct letter {
	u32 from;
	u32 to;
	u32 mails;
	u32 packets;
	u32 bodies;
	u32 spare;
};

static void mail_pack(struct torus_fabric *f, u32 parity, u32 from, u32 to)
{
	struct torus_mailbox *box = &f->domain[from].outbox[parity][to];
	struct bytes *b = &team.mail[to / (f->ndomains / team.ranks.count)];
	struct letter letter = {
		.from = from, .to = to, .mails = box->mails, .packets = box->npackets,
		.bodies = box->nbodies,
	};

	if (!box->mails)
		return;
	bytes_add(b, &letter, sizeof(letter));
	bytes_add(b, box->mail, box->mails * sizeof(*box->mail));
	bytes_add(b, box->packets, box->npackets * sizeof(*box->packets));
	bytes_add(b, box->bodies, (size_t)box->nbodies * f->domain[from].bodies.stride);
	box->mails = 0;
	box->npackets = 0;
	box->nbodies = 0;
}

/* Into the sender's mailbox here, where the receiver looks for it; false: there is no memory. */
static bool mail_unpack(struct torus_fabric *f, u32 parity, const char *data, size_t bytes)
{
	const char *end = data + bytes;

	while (data < end) {
		const struct letter *letter = (const void *)data;
		struct torus_domain *to = &f->domain[letter->to];
		struct torus_mailbox *box =
			&f->domain[letter->from].outbox[parity][letter->to];
		u32 stride = to->bodies.stride;

		if (!torus_mail_reserve(box, letter->mails, letter->packets, letter->bodies,
					stride))
			return false;
		data += sizeof(*letter);
		data = bytes_take(box->mail, data, letter->mails * sizeof(*box->mail));
		data = bytes_take(box->packets, data, letter->packets * sizeof(*box->packets));
		data = bytes_take(box->bodies, data, (size_t)letter->bodies * stride);
		box->mails = letter->mails;
		box->npackets = letter->packets;
		box->nbodies = letter->bodies;
		if (!(to->from >> letter->from & 1))
			to->far[parity] += letter->mails;
	}
	return true;
}

static void ranks_meet(struct torus_ranks *ranks, struct torus_fabric *f, u32 parity)
{
	struct frame own = { .doing = MEET };
	bool unpacked = true;
	size_t bytes;
	char *data;
	u32 i, j;

	for (i = 0; i < ranks->count; i++)
		team.mail[i].used = 0;
	for (i = f->own_first; i < f->own_end; i++)
		for (j = 0; j < f->ndomains; j++)
			if (f->domain[j].away)
				mail_pack(f, parity, i, j);
	for (i = 0; i < ranks->count; i++)
		own.mail |= (u64)(team.mail[i].used != 0) << i;
	torus_ranks_publish(f, parity, &own.published);
	ranks_share(&own);
	for (i = 0; i < ranks->count; i++)
		if (team.mail[i].used)
			team.transport->send(team.transport, i, team.mail[i].data,
					     team.mail[i].used);
	for (i = 0; i < ranks->count; i++) {
		if (i == ranks->rank)
			continue;
		torus_ranks_learn(f, i, parity, &team.frames[i].published);
		if (!(team.frames[i].mail >> ranks->rank & 1))
			continue;
		data = team.transport->receive(team.transport, i, &bytes);
		unpacked = unpacked && mail_unpack(f, parity, data, bytes);
	}
	team.transport->sent(team.transport);
	/* the others are about to share again, and hear of it */
	if (!unpacked)
		ranks_quit("no memory for the mail of other ranks");
}

static const void *ranks_pass(struct torus_ranks *ranks, const void *own, size_t bytes, size_t *got)
{
	struct frame frame = { .doing = PASS, .bytes = bytes };

	ranks_share(&frame);
	*got = ranks_gather(own);
	return team.got.data;
}

static void ranks_out(struct torus_ranks *ranks)
{
	ranks_no_memory();
}

/* ------------------------------------------------------------- begin and end */

/* What must be the same in all ranks, which may be other machines. */
struct hello {
	u64 order;
	u32 mail;
	u32 packet;
	u32 tally;
	u32 frame;
	u64 program;
	u64 words;
};

/* A number that follows from words, NULL behind the last. */
static u64 ranks_words(char *const *words)
{
	u64 hash = 0;
	const char *at;

	for (; words && *words; words++) {
		for (at = *words; *at; at++)
			hash = torus_mix(hash ^ (u8)*at);
		hash = torus_mix(hash);
	}
	return hash;
}

static bool ranks_hello(char *const *words, char *why, size_t size)
{
	struct hello own = {
		.order = 0x0123456789abcdefull, .mail = sizeof(struct torus_mail),
		.packet = sizeof(struct torus_packet), .tally = sizeof(struct torus_tally),
		.frame = sizeof(struct frame), .program = sim_mpi_program(),
		.words = ranks_words(words),
	};
	struct hello *all = team.hello;
	u32 i;

	team.transport->share(team.transport, &own, all, sizeof(own));
	for (i = 0; i < team.ranks.count; i++)
		if (memcmp(&all[i], &all[0], sizeof(own)))
			break;
	if (i == team.ranks.count)
		return true;
	/* all have seen it, and one tells it */
	snprintf(why, size, "rank %u %s", i,
		 memcmp(&all[i], &all[0], offsetof(struct hello, words)) ?
		 "is another program than rank 0, or on another kind of machine" :
		 "was started with other words than rank 0");
	if (team.ranks.rank)
		strcpy(why, " ");
	ranks_leave();
	return false;
}

/**
 * sim_procs_begin - join the other ranks, if a launcher has started several
 * @words: what this one was started with, which is to be the same for all; NULL behind the last
 * @why: gets the reason why that cannot be; a blank where another process tells it, and this one
 *	 is to end with 0
 * @size: its room
 *
 * Return: false with a reason.
 */
bool sim_procs_begin(char *const *words, char *why, size_t size)
{
	u32 count;

	team.transport = sim_mpi_load(why, size);
	if (!team.transport)
		return !why[0];
	count = team.transport->count;
	team.thread = pthread_self();
	team.ranks = (struct torus_ranks){
		.rank = team.transport->rank, .count = count, .meet = ranks_meet,
		.pass = ranks_pass, .no_memory = ranks_out,
	};
	team.frames = calloc(count, sizeof(*team.frames));
	team.sizes = calloc(count, sizeof(*team.sizes));
	team.mail = calloc(count, sizeof(*team.mail));
	team.hello = calloc(count, sizeof(*team.hello));
	if (!team.frames || !team.sizes || !team.mail || !team.hello)
		ranks_no_memory();
	/* the first answers, alone */
	if (team.ranks.rank && !freopen("/dev/null", "w", stdout))
		ranks_no_memory();
	return ranks_hello(words, why, size);
}

/**
 * sim_procs_end - leave the other ranks
 * @status: how this one ends
 *
 * Return: how this process ends: the first rank as the first that did not end well.
 */
int sim_procs_end(int status)
{
	struct frame own = { .doing = END, .status = status, .bytes = strlen(team.text) };

	if (!team.transport)
		return status;
	ranks_share(&own);
	return ranks_ended(team.text);
}

/**
 * sim_procs - the ranks, as a fabric wants them
 *
 * Return: they, or NULL where this process is alone.
 */
struct torus_ranks *sim_procs(void)
{
	return team.transport ? &team.ranks : NULL;
}

/**
 * sim_procs_count - how many ranks there are
 *
 * Return: their number, 1 where this process is alone.
 */
u32 sim_procs_count(void)
{
	return team.transport ? team.ranks.count : 1;
}

/**
 * sim_procs_other - have all ranks the same in hand?
 * @mark: a number that follows from what this one has
 *
 * All call it.
 *
 * Return: the first rank that has something else than rank 0; 0: none.
 */
u32 sim_procs_other(u64 mark)
{
	const u64 *marks;
	size_t got;
	u32 i;

	if (!team.transport)
		return 0;
	marks = ranks_pass(&team.ranks, &mark, sizeof(mark), &got);
	for (i = 1; i < team.ranks.count; i++)
		if (marks[i] != marks[0])
			return i;
	return 0;
}

/**
 * sim_procs_memory - memory that a rank may take
 * @bytes: that this rank could have, were it alone
 *
 * All call it.  Ranks on one machine have its memory together.
 *
 * Return: bytes, the same in all ranks; @bytes without others.
 */
u64 sim_procs_memory(u64 bytes)
{
	struct memory {
		u64 bytes;
		char host[HOST_MAX];
	} own = { .bytes = bytes };
	const struct memory *all;
	u64 least = ~0ull;
	size_t got;
	u32 i, j, n;

	if (!team.transport)
		return bytes;
	gethostname(own.host, sizeof(own.host) - 1);
	all = ranks_pass(&team.ranks, &own, sizeof(own), &got);
	for (i = 0; i < team.ranks.count; i++) {
		for (j = 0, n = 0; j < team.ranks.count; j++)
			n += !strcmp(all[i].host, all[j].host);
		if (all[i].bytes / n < least)
			least = all[i].bytes / n;
	}
	return least;
}

/**
 * sim_procs_silent - does another rank tell and write what there is?
 *
 * Return: true but for the first.
 */
bool sim_procs_silent(void)
{
	return team.transport && team.ranks.rank;
}

/**
 * sim_procs_hold - have the first rank, too, keep what it would tell, or no longer
 * @held: it keeps it
 *
 * Where each rank may have something to tell, and only what one of them has is to be told.
 */
void sim_procs_hold(bool held)
{
	team.held = held;
}

/**
 * sim_procs_hushed - is what this process would tell to be kept?
 *
 * Return: true of all but the first rank, and of that one while it is held.
 */
bool sim_procs_hushed(void)
{
	return sim_procs_silent() || (team.transport && team.held);
}

/**
 * sim_procs_forget - what this rank has kept is not to be told
 */
void sim_procs_forget(void)
{
	team.text[0] = '\0';
}

/**
 * sim_procs_hush - keep what a silent rank would have told
 * @text: a message; the first rank tells it should this one end alone, or by sim_procs_report()
 */
void sim_procs_hush(const char *text)
{
	size_t used = strlen(team.text);

	snprintf(team.text + used, sizeof(team.text) - used, used ? "\n%s" : "%s", text);
}

/**
 * sim_procs_report - the first rank tells what the others had to tell so far
 * @named: and which they are
 *
 * All call it.
 */
void sim_procs_report(bool named)
{
	const char *told, *at;
	size_t got, line;
	u32 i;

	if (!team.transport)
		return;
	told = ranks_pass(&team.ranks, team.text, strlen(team.text), &got);
	for (i = 0; i < team.ranks.count; told += team.sizes[i++])
		for (at = told; !team.ranks.rank && at < told + team.sizes[i]; at += line + 1) {
			line = strcspn(at, "\n");
			if (line > (size_t)(told + team.sizes[i] - at))
				line = (size_t)(told + team.sizes[i] - at);
			if (named && i)
				ranks_say(i, (int)line, at);
			else
				torus_escape_message(stderr, "torus-sim: %.*s\n", (int)line, at);
		}
	sim_procs_forget();
}

/**
 * sim_procs_timeout - how long a rank may say nothing
 * @ms: milliseconds; 0: as long as it likes
 */
void sim_procs_timeout(u32 ms)
{
	if (team.transport)
		team.transport->timeout_ms = ms;
}

/**
 * sim_procs_beat - this rank is busy and well, and looks whether the others are
 *
 * Called now and then by whatever takes long, in any thread.
 */
void sim_procs_beat(void)
{
	if (team.transport && pthread_equal(team.thread, pthread_self()))
		team.transport->beat(team.transport);
}
