/* SPDX-License-Identifier: GPL-2.0 */
/* Parser of an application's log. */
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
 * struct replay_statement - a statement of a log
 * @kind: enum replay_kind
 * @place: position of the statement's first token
 * @value: depends on @kind: a time, the other rank (NULL: any), a number of repeats, a condition,
 *    or the value of a variable
 * @bytes: size of a message
 * @tag: tag of a message; NULL: 0
 * @unit_fs: length of the unit of @value in femtoseconds; 0: @value is in ticks
 * @name: index of the handle or variable; TORUS_NONE: the statement has none
 * @body: statements of a block
 * @other: statements of the block after else
 * @next: next statement of the same block
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
 * @place: position of the block's first token
 * @first: first rank; NULL: all ranks
 * @last: last rank; NULL: only @first
 * @body: first statement of the block
 * @next: next block of the log
 */
struct replay_block {
	struct replay_place place;
	struct replay_expr *first;
	struct replay_expr *last;
	struct replay_statement *body;
	struct replay_block *next;
};

/**
 * struct replay_word - a word of the log's head that is not parsed yet
 * @text: the word; empty if the log does not have it
 * @place: position of the word
 */
struct replay_word {
	char text[REPLAY_WORD_MAX];
	struct replay_place place;
};

/**
 * struct replay_log - an application's log, parsed as far as possible without a machine
 * @lexer: the text, for error messages
 * @names: variables
 * @handles: names of handles
 * @arch: name of the machine. @arch, @shape, @mesh and @grid are empty if the log does not name
 *    them
 * @shape: shape of the machine
 * @mesh: dimensions that are a mesh
 * @grid: grid of the ranks
 * @set: KEY=VALUE
 * @sets: number of entries in @set
 * @ranks: number of ranks; 0: one per node
 * @ranks_place: position of the number of ranks
 * @barrier: latency of a barrier, in units of @barrier_fs
 * @barrier_fs: length of that unit in femtoseconds; 0: ticks
 * @barrier_place: position of the latency; line 0: the log has no such line
 * @blocks: first block of statements
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
