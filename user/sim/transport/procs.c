// SPDX-License-Identifier: GPL-2.0
/*
 * The processes of a simulation, over a transport. In each joint action, every process first sends
 * a frame to all, which announces its action. So no process waits for one that does something else.
 * A process that ends announces that in its frame, and then the others end, too.
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
#define HOST_MAX	256	/* bytes of a host name that are compared */
#define FAILED		1	/* exit status after an error */

/* Joint actions of the processes: exchange a window's mail, exchange data, end. */
enum doing {
	MEET,
	PASS,
	END,
};

/**
 * struct frame - announcement of a process's next action
 * @doing: enum doing
 * @status: exit status (END)
 * @mail: bit r is set if the process sends mail to process r (MEET)
 * @bytes: number of bytes that the process passes (PASS, END)
 * @published: summary of the process's domains (MEET)
 */
struct frame {
	u32 doing;
	s32 status;
	u64 mail;
	u64 bytes;
	struct torus_window_summary published;
};

_Static_assert(TORUS_DOMAINS_MAX <= 64, "ranks are a mask of 64 bits");

/* Growing buffer. */
struct bytes {
	char *data;
	size_t used;
	size_t room;
};

/**
 * struct sim_procs - all processes, as seen by this one
 * @ranks: interface for the fabric
 * @transport: the transport; NULL: there is only this process
 * @frames: frames of all processes
 * @sizes: number of bytes that each process passes
 * @mail: outgoing mail for each process
 * @got: data passed by all processes
 * @hello: properties of all processes that must be equal
 * @text: suppressed messages of this process
 * @held: process 0 suppresses its messages like the other processes
 * @thread: the thread that calls the transport
 */
static struct {
	struct torus_procs ranks;
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

/* End this process; the transport notifies the others that it has ended. */
static void ranks_no_memory(void)
{
	fprintf(stderr, "torus-sim: rank %u: out of memory for messages between ranks\n",
		team.ranks.self);
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

/* Copy @n bytes from @from. Return the address after these bytes. */
static const char *bytes_take(void *to, const char *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
	return from + n;
}

/* Gather data from all processes, with the sizes in their frames. Return the total size. */
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
	/* terminate the text */
	team.got.data[sum] = '\0';
	return sum;
}

/* Close the transport: this process continues alone. */
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

/* Print a message of another process on standard error. */
static void ranks_say(u32 rank, int length, const char *text)
{
	torus_escape_message(stderr, "torus-sim: rank %u: %.*s\n", rank, length, text);
}

/*
 * End the run because a process has ended. Process 0 prints the messages of the first process that
 * failed. Return the exit status. Process 0 exits with the status of the failed process, the others
 * with 0, because launchers report the status of process 0.
 */
static int ranks_ended(const char *text)
{
	u32 i, first = team.ranks.count;
	const char *messages;
	int status = 0;

	/* ignore the frames of processes that announced another action than END */
	for (i = 0; i < team.ranks.count; i++)
		if (team.frames[i].doing != END)
			team.frames[i].bytes = 0;
	ranks_gather(text);
	messages = team.got.data;
	for (i = 0; i < team.ranks.count; messages += team.sizes[i++]) {
		if (team.frames[i].doing != END || !team.frames[i].status)
			continue;
		if (first == team.ranks.count) {
			first = i;
			status = team.frames[i].status;
		}
		/*
		 * print messages of another process; process 0 has printed its own messages already
		 */
		if (first == i && i && !team.ranks.self)
			ranks_say(i, (int)team.sizes[i], messages);
	}
	ranks_leave();
	return team.ranks.self ? 0 : status;
}

/* Exchange frames. All processes must announce the same action; if one ends, all end. */
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

/* End this process after an error. The next exchange of frames ends the others. */
static void ranks_quit(const char *text)
{
	if (team.ranks.self)
		sim_procs_hush(text);
	else
		torus_escape_message(stderr, "torus-sim: rank 0: %s\n", text);
	exit(sim_procs_end(FAILED));
}

/* ----------------------------------------------------------------------- mail */

/* Header of the mail between two domains; its events, packets and bodies follow. */
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

/*
 * Copy received mail into the local copy of the sending domain's mailbox, from which the receiving
 * domain reads it. Return false if there is no memory.
 */
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

static void ranks_meet(struct torus_procs *ranks, struct torus_fabric *f, u32 parity)
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
	torus_procs_summarize(f, parity, &own.published);
	ranks_share(&own);
	for (i = 0; i < ranks->count; i++)
		if (team.mail[i].used)
			team.transport->send(team.transport, i, team.mail[i].data,
					     team.mail[i].used);
	for (i = 0; i < ranks->count; i++) {
		if (i == ranks->self)
			continue;
		torus_procs_receive(f, i, parity, &team.frames[i].published);
		if (!(team.frames[i].mail >> ranks->self & 1))
			continue;
		data = team.transport->receive(team.transport, i, &bytes);
		unpacked = unpacked && mail_unpack(f, parity, data, bytes);
	}
	team.transport->sent(team.transport);
	/* report the failure to the other processes in the next exchange of frames */
	if (!unpacked)
		ranks_quit("out of memory for the messages of other ranks");
}

static const void *ranks_pass(struct torus_procs *ranks, const void *own, size_t bytes, size_t *got)
{
	struct frame frame = { .doing = PASS, .bytes = bytes };

	ranks_share(&frame);
	*got = ranks_gather(own);
	return team.got.data;
}

static void ranks_out(struct torus_procs *ranks)
{
	ranks_no_memory();
}

/* --------------------------------------------------------------- begin and end */

/* Properties that must be equal in all processes, even if these run on different machines. */
struct hello {
	u64 order;
	u32 mail;
	u32 packet;
	u32 stats;
	u32 frame;
	u64 program;
	u64 words;
};

/* Hash of a NULL-terminated array of words. */
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
		.packet = sizeof(struct torus_packet), .stats = sizeof(struct torus_stats),
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
	/* all processes detect the difference; process 0 reports it */
	snprintf(why, size, "rank %u %s", i,
		 memcmp(&all[i], &all[0], offsetof(struct hello, words)) ?
		 "runs a different program than rank 0, or on a different processor architecture" :
		 "was started with different arguments than rank 0");
	if (team.ranks.self)
		strcpy(why, " ");
	ranks_leave();
	return false;
}

/**
 * sim_procs_begin - connect to the other processes if a launcher has started several
 * @words: NULL-terminated command line, which must be the same in all processes
 * @why: [out] error message; " " if another process reports the error and this one must exit with
 *	0
 * @size: bytes of @why
 *
 * Return: true on success, also for a single process; false with a reason in @why.
 */
bool sim_procs_begin(char *const *words, char *why, size_t size)
{
	u32 count;

	team.transport = sim_mpi_load(why, size);
	if (!team.transport)
		return !why[0];
	count = team.transport->count;
	team.thread = pthread_self();
	team.ranks = (struct torus_procs){
		.self = team.transport->rank, .count = count, .meet = ranks_meet,
		.pass = ranks_pass, .no_memory = ranks_out,
	};
	team.frames = calloc(count, sizeof(*team.frames));
	team.sizes = calloc(count, sizeof(*team.sizes));
	team.mail = calloc(count, sizeof(*team.mail));
	team.hello = calloc(count, sizeof(*team.hello));
	if (!team.frames || !team.sizes || !team.mail || !team.hello)
		ranks_no_memory();
	/* only process 0 prints results */
	if (team.ranks.self && !freopen("/dev/null", "w", stdout))
		ranks_no_memory();
	return ranks_hello(words, why, size);
}

/**
 * sim_procs_end - disconnect from the other processes
 * @status: exit status of this process
 *
 * Return: the status to exit with: @status of a single process; in process 0 that of the process
 * with the lowest number that failed; else 0.
 */
int sim_procs_end(int status)
{
	struct frame own = { .doing = END, .status = status, .bytes = strlen(team.text) };

	if (!team.transport)
		return status;
	ranks_share(&own);
	return ranks_ended(team.text);
}

/* Get the interface by which a fabric uses the other processes; NULL for a single process. */
struct torus_procs *sim_procs(void)
{
	return team.transport ? &team.ranks : NULL;
}

/* Number of processes that simulate together; 1 without a launcher. */
u32 sim_procs_count(void)
{
	return team.transport ? team.ranks.count : 1;
}

/**
 * sim_procs_other - check whether all processes have the same data
 * @mark: hash of this process's data
 *
 * A collective call of all processes.
 *
 * Return: number of the first process that differs from process 0; 0: none.
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
 * sim_procs_memory - memory that each process may allocate
 * @bytes: memory available on this process's machine
 *
 * A collective call of all processes. Processes on one machine share its memory.
 *
 * Return: bytes, the same in all processes; @bytes if there is only this process.
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

/* Check whether another process prints and writes the output: true in all but process 0. */
bool sim_procs_silent(void)
{
	return team.transport && team.ranks.self;
}

/**
 * sim_procs_hold - start or stop to suppress the messages of process 0
 * @held: true: suppress the messages; false: print them again
 *
 * Used while several processes may fail at the same time, but only the messages of one process
 * shall be printed.
 */
void sim_procs_hold(bool held)
{
	team.held = held;
}

/*
 * Check whether this process suppresses its messages: true in all but process 0, and in process 0
 * after sim_procs_hold().
 */
bool sim_procs_hushed(void)
{
	return sim_procs_silent() || (team.transport && team.held);
}

/**
 * sim_procs_forget - discard the suppressed messages of this process
 */
void sim_procs_forget(void)
{
	team.text[0] = '\0';
}

/**
 * sim_procs_hush - save a suppressed message
 * @text: the message, which process 0 prints in sim_procs_report(), or at the end if this process
 *	has failed and none with a lower number has
 */
void sim_procs_hush(const char *text)
{
	size_t used = strlen(team.text);

	snprintf(team.text + used, sizeof(team.text) - used, used ? "\n%s" : "%s", text);
}

/**
 * sim_procs_report - let process 0 print the suppressed messages of all processes
 * @named: print the number of each process but process 0, too
 *
 * A collective call of all processes.
 */
void sim_procs_report(bool named)
{
	const char *messages, *at;
	size_t got, line;
	u32 i;

	if (!team.transport)
		return;
	messages = ranks_pass(&team.ranks, team.text, strlen(team.text), &got);
	for (i = 0; i < team.ranks.count; messages += team.sizes[i++])
		for (at = messages; !team.ranks.self && at < messages + team.sizes[i];
		     at += line + 1) {
			line = strcspn(at, "\n");
			if (line > (size_t)(messages + team.sizes[i] - at))
				line = (size_t)(messages + team.sizes[i] - at);
			if (named && i)
				ranks_say(i, (int)line, at);
			else
				torus_escape_message(stderr, "torus-sim: %.*s\n", (int)line, at);
		}
	sim_procs_forget();
}

/**
 * sim_procs_timeout - set the time for which a process may send nothing
 * @ms: milliseconds; 0: no limit
 */
void sim_procs_timeout(u32 ms)
{
	if (team.transport)
		team.transport->timeout_ms = ms;
}

/**
 * sim_procs_beat - send a heartbeat if it is due, and receive the heartbeats of other processes
 *
 * Long computations call this regularly. Only the thread that called sim_procs_begin() sends
 * heartbeats; in other threads the call does nothing.
 */
void sim_procs_beat(void)
{
	if (team.transport && pthread_equal(team.thread, pthread_self()))
		team.transport->beat(team.transport);
}
