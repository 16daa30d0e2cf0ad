/* SPDX-License-Identifier: GPL-2.0 */
/* The grammar of an application's log. */
#ifndef TORUS_REPLAY_PARSER_H
#define TORUS_REPLAY_PARSER_H

#include "expr.h"

#define REPLAY_WORD_MAX		128
#define REPLAY_SETS_MAX		32

enum replay_kind {
	REPLAY_COMPUTE,
	REPLAY_SEND,
	REPLAY_RECV,
	REPLAY_ISEND,
	REPLAY_IRECV,
	REPLAY_WAIT,
	REPLAY_WAITALL,
	REPLAY_BARRIER,
	REPLAY_ALLTOALL,
	REPLAY_REPEAT,
	REPLAY_IF,
	REPLAY_LET,
	REPLAY_KINDS,
};

/**
 * struct replay_statement - what a rank is to do
 * @kind: enum replay_kind
 * @place: of its first word
 * @value: ticks, peer (NULL: any), bytes, times, condition
 * @bytes: of a message
 * @tag: of a message, NULL: 0
 * @unit_fs: femtoseconds of a unit of @value, 0: ticks
 * @name: handle or variable; TORUS_NONE: none
 * @body: statements of a block
 * @other: those of its else
 * @next: the next one
 */
struct replay_statement {
	enum replay_kind kind;
	struct replay_place place;
	struct replay_expr *value;
	struct replay_expr *bytes;
	struct replay_expr *tag;
	u64 unit_fs;
	u32 name;
	struct replay_statement *body;
	struct replay_statement *other;
	struct replay_statement *next;
};

/**
 * struct replay_block - statements of some ranks
 * @place: of its first word
 * @first: first rank; NULL: all
 * @last: last rank; NULL: only the first
 * @body: what they do
 * @next: the next one
 */
struct replay_block {
	struct replay_place place;
	struct replay_expr *first;
	struct replay_expr *last;
	struct replay_statement *body;
	struct replay_block *next;
};

/**
 * struct replay_word - a word of the head, as it stands
 * @text: the word, empty: there is none
 * @place: where
 */
struct replay_word {
	char text[REPLAY_WORD_MAX];
	struct replay_place place;
};

/**
 * struct replay_log - an application's log, understood as far as it can be without a machine
 * @lexer: the text, for messages
 * @names: variables
 * @handles: names of handles
 * @arch: the machine, empty: not said; likewise the others
 * @shape: its shape
 * @mesh: its dimensions that are no rings
 * @grid: of the ranks
 * @set: KEY=VALUE
 * @sets: number of KEY=VALUE
 * @ranks: number of ranks; 0: one a node
 * @ranks_place: where their number stands
 * @barrier: latency of a barrier, in units of @barrier_fs
 * @barrier_fs: femtoseconds, 0: ticks
 * @barrier_place: where that stands, line 0: not said
 * @blocks: what the ranks do
 */
struct replay_log {
	struct replay_lexer lexer;
	struct replay_names names;
	struct replay_names handles;
	struct replay_word arch;
	struct replay_word shape;
	struct replay_word mesh;
	struct replay_word grid;
	struct replay_word set[REPLAY_SETS_MAX];
	u32 sets;
	s64 ranks;
	struct replay_place ranks_place;
	s64 barrier;
	u64 barrier_fs;
	struct replay_place barrier_place;
	struct replay_block *blocks;
};

bool replay_log_parse(struct replay_log *log, const char *name, const char *text);
void replay_log_free(struct replay_log *log);
void replay_log_at(const struct replay_log *log, struct replay_place place);
const char *replay_kind_name(enum replay_kind kind);

#endif /* TORUS_REPLAY_PARSER_H */
