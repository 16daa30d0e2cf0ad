// SPDX-License-Identifier: GPL-2.0
/* Parser of an application's log. user/replay/README.md describes the grammar. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/base/message.h"
#include "parser.h"

#define DEPTH_MAX	32

static const char *const kinds[] = {
	[REPLAY_COMPUTE] = "compute", [REPLAY_SEND] = "send", [REPLAY_RECV] = "recv",
	[REPLAY_ISEND] = "isend", [REPLAY_IRECV] = "irecv", [REPLAY_WAIT] = "wait",
	[REPLAY_WAITALL] = "waitall", [REPLAY_BARRIER] = "barrier",
	[REPLAY_ALLTOALL] = "alltoall", [REPLAY_REPEAT] = "repeat", [REPLAY_IF] = "if",
	[REPLAY_LET] = "let",
};

/* Reserved words in addition to the statements. No variable and no handle may have such a name. */
static const char *const others[] = {
	"all", "any", "arch", "as", "at", "else", "grid", "max", "mesh", "min", "ranks", "set",
	"shape", "tag",
};

struct unit_row {
	const char *name;
	u64 fs;
};

static const struct unit_row units[] = {
	{ "ticks", 0 }, { "ns", 1000000ull }, { "us", 1000000000ull }, { "ms", 1000000000000ull },
	{ "s", 1000000000000000ull },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * replay_kind_name - get the word with which a kind of statement begins in a log
 */
const char *replay_kind_name(enum replay_kind kind)
{
	return kinds[kind];
}

/**
 * replay_log_at - name a position of a log in all following error messages
 * @place: the position; line 0: messages name no position
 */
void replay_log_at(const struct replay_log *log, struct replay_place place)
{
	static char text[PATH_MAX];

	snprintf(text, sizeof(text), "replay: %s:%u:%u", log->lexer.name, place.line,
		 place.column);
	sim_command_set(place.line ? text : NULL);
}

static void statements_free(struct replay_statement *statement)
{
	struct replay_statement *next;

	for (; statement; statement = next) {
		next = statement->next;
		replay_expr_free(statement->value);
		replay_expr_free(statement->bytes);
		replay_expr_free(statement->tag);
		statements_free(statement->body);
		statements_free(statement->other);
		free(statement);
	}
}

/**
 * replay_log_free - free a parsed log
 */
void replay_log_free(struct replay_log *log)
{
	struct replay_block *next;

	for (; log->blocks; log->blocks = next) {
		next = log->blocks->next;
		replay_expr_free(log->blocks->first);
		replay_expr_free(log->blocks->last);
		statements_free(log->blocks->body);
		free(log->blocks);
	}
}

static bool parse_expr(struct replay_log *log, struct replay_expr **expr)
{
	*expr = replay_expr_parse(&log->lexer, &log->names);
	return *expr;
}

/*
 * Parse an optional unit of time. A word that is not a unit belongs to the next statement. Return:
 * length of the unit in femtoseconds; 0 for ticks.
 */
static u64 parse_unit(struct replay_log *log)
{
	size_t i;

	for (i = 0; i < COUNT(units); i++)
		if (replay_lexer_take(&log->lexer, units[i].name))
			return units[i].fs;
	return 0;
}

static bool is_keyword(const struct replay_lexer *lexer)
{
	size_t i;

	for (i = 0; i < COUNT(kinds); i++)
		if (replay_lexer_is(lexer, kinds[i]))
			return true;
	for (i = 0; i < COUNT(others); i++)
		if (replay_lexer_is(lexer, others[i]))
			return true;
	for (i = 0; i < COUNT(units); i++)
		if (replay_lexer_is(lexer, units[i].name))
			return true;
	return false;
}

/* Parse the name of a variable or handle. If @old, the name must be defined already. */
static bool parse_name(struct replay_log *log, struct replay_names *names, const char *what,
		       bool old, u32 *index)
{
	const struct replay_token *token = &log->lexer.token;

	if (token->kind != REPLAY_TOKEN_NAME || is_keyword(&log->lexer))
		return replay_lexer_unexpected(&log->lexer, what);
	if (token->length >= REPLAY_NAME_MAX)
		return replay_lexer_bad(&log->lexer, token->place,
					"a name must have at most %d bytes",
					REPLAY_NAME_MAX - 1);
	if (!replay_names_find(names, token, index)) {
		if (old)
			return replay_lexer_bad(&log->lexer, token->place,
						"\"%.*s\": must be the name of an earlier isend or "
						"irecv",
						(int)token->length, token->start);
		if (names->count == REPLAY_NAMES_MAX)
			return replay_lexer_bad(&log->lexer, token->place,
						"the log must have at most %d names",
						REPLAY_NAMES_MAX);
		memcpy(names->name[names->count++], token->start, token->length);
	} else if (names == &log->names && *index < REPLAY_FIRST) {
		return replay_lexer_bad(&log->lexer, token->place,
					"%.*s: the variable already has a value",
					(int)token->length, token->start);
	}
	replay_lexer_next(&log->lexer);
	return true;
}

static bool parse_body(struct replay_log *log, struct replay_statement **body, u32 depth);

static bool parse_if(struct replay_log *log, struct replay_statement *statement, u32 depth)
{
	if (!parse_expr(log, &statement->value) || !parse_body(log, &statement->body, depth + 1))
		return false;
	if (!replay_lexer_take(&log->lexer, "else"))
		return true;
	return parse_body(log, &statement->other, depth + 1);
}

static bool parse_repeat(struct replay_log *log, struct replay_statement *statement, u32 depth)
{
	if (!parse_expr(log, &statement->value))
		return false;
	if (replay_lexer_take(&log->lexer, "as") &&
	    !parse_name(log, &log->names, "a name for the counter", false, &statement->name))
		return false;
	return parse_body(log, &statement->body, depth + 1);
}

static bool parse_let(struct replay_log *log, struct replay_statement *statement)
{
	u32 index;

	if (!parse_name(log, &log->names, "a name", false, &index))
		return false;
	statement->name = index;
	if (!replay_lexer_take(&log->lexer, "="))
		return replay_lexer_unexpected(&log->lexer, "=");
	return parse_expr(log, &statement->value);
}

/* Parse the arguments of a message: DEST BYTES or SRC|any, [tag T], [as NAME]. */
static bool parse_message(struct replay_log *log, struct replay_statement *statement)
{
	bool sends = statement->kind == REPLAY_SEND || statement->kind == REPLAY_ISEND;
	bool waits = statement->kind == REPLAY_SEND || statement->kind == REPLAY_RECV;

	if ((sends || !replay_lexer_take(&log->lexer, "any")) &&
	    !parse_expr(log, &statement->value))
		return false;
	if (sends && !parse_expr(log, &statement->bytes))
		return false;
	if (replay_lexer_take(&log->lexer, "tag") && !parse_expr(log, &statement->tag))
		return false;
	if (waits || !replay_lexer_take(&log->lexer, "as"))
		return true;
	return parse_name(log, &log->handles, "a name for what wait waits for", false,
			  &statement->name);
}

static bool parse_wait(struct replay_log *log, struct replay_statement *statement)
{
	if (log->lexer.token.kind != REPLAY_TOKEN_NAME || is_keyword(&log->lexer)) {
		statement->kind = REPLAY_WAITALL;
		return true;
	}
	return parse_name(log, &log->handles, "", true, &statement->name);
}

static bool parse_rest(struct replay_log *log, struct replay_statement *statement, u32 depth)
{
	switch (statement->kind) {
	case REPLAY_COMPUTE:
		if (!parse_expr(log, &statement->value))
			return false;
		statement->unit_fs = parse_unit(log);
		return true;
	case REPLAY_SEND:
	case REPLAY_RECV:
	case REPLAY_ISEND:
	case REPLAY_IRECV:
		return parse_message(log, statement);
	case REPLAY_WAIT:
		return parse_wait(log, statement);
	case REPLAY_ALLTOALL:
		return parse_expr(log, &statement->bytes);
	case REPLAY_REPEAT:
		return parse_repeat(log, statement, depth);
	case REPLAY_IF:
		return parse_if(log, statement, depth);
	case REPLAY_LET:
		return parse_let(log, statement);
	default:
		return true;
	}
}

static bool parse_statement(struct replay_log *log, struct replay_statement **result, u32 depth)
{
	struct replay_statement *statement;
	u32 kind;

	for (kind = 0; kind < REPLAY_KINDS && !replay_lexer_is(&log->lexer, kinds[kind]); kind++)
		;
	if (kind == REPLAY_KINDS)
		return replay_lexer_unexpected(&log->lexer,
					       "compute, send, recv, isend, irecv, wait, waitall, "
					       "barrier, alltoall, repeat, if, let or }");
	statement = calloc(1, sizeof(*statement));
	if (!statement)
		return replay_lexer_bad(&log->lexer, log->lexer.token.place, "out of memory");
	*result = statement;
	statement->kind = (enum replay_kind)kind;
	statement->place = log->lexer.token.place;
	statement->name = TORUS_NONE;
	replay_lexer_next(&log->lexer);
	return parse_rest(log, statement, depth) && !log->lexer.failed;
}

static bool parse_body(struct replay_log *log, struct replay_statement **body, u32 depth)
{
	struct replay_place place = log->lexer.token.place;

	if (depth == DEPTH_MAX)
		return replay_lexer_bad(&log->lexer, place,
					"blocks must not be nested more than %d deep",
					DEPTH_MAX);
	if (!replay_lexer_take(&log->lexer, "{"))
		return replay_lexer_unexpected(&log->lexer, "{");
	while (!replay_lexer_take(&log->lexer, "}")) {
		if (log->lexer.token.kind == REPLAY_TOKEN_END)
			return replay_lexer_bad(&log->lexer, place, "this { must be closed by }");
		if (!parse_statement(log, body, depth))
			return false;
		body = &(*body)->next;
	}
	return true;
}

/* Parse a block: all { }, rank N [.. N] { }, or a let statement for all ranks. */
static bool parse_block(struct replay_log *log, struct replay_block *block)
{
	block->place = log->lexer.token.place;
	if (replay_lexer_is(&log->lexer, "let"))
		return parse_statement(log, &block->body, 0);
	if (replay_lexer_take(&log->lexer, "all"))
		return parse_body(log, &block->body, 0);
	if (!replay_lexer_take(&log->lexer, "rank"))
		return replay_lexer_unexpected(&log->lexer,
					       "arch, shape, mesh, set, ranks, grid, barrier, let, "
					       "all or rank");
	if (!parse_expr(log, &block->first))
		return false;
	if (replay_lexer_take(&log->lexer, "..") && !parse_expr(log, &block->last))
		return false;
	return parse_body(log, &block->body, 0);
}

static bool parse_number(struct replay_log *log, const char *what, s64 *number)
{
	if (log->lexer.token.kind != REPLAY_TOKEN_NUMBER)
		return replay_lexer_unexpected(&log->lexer, what);
	*number = log->lexer.token.value;
	replay_lexer_next(&log->lexer);
	return true;
}

/*
 * Return the member of @log for a line of the head, if the current token is its keyword; otherwise
 * NULL.
 */
static struct replay_word *head_word(struct replay_log *log)
{
	const struct replay_lexer *lexer = &log->lexer;

	if (replay_lexer_is(lexer, "arch"))
		return &log->arch;
	if (replay_lexer_is(lexer, "shape"))
		return &log->shape;
	if (replay_lexer_is(lexer, "mesh"))
		return &log->mesh;
	if (replay_lexer_is(lexer, "grid"))
		return &log->grid;
	if (replay_lexer_is(lexer, "set") && log->sets < REPLAY_SETS_MAX)
		return &log->set[log->sets++];
	return NULL;
}

/*
 * Parse a line of the log's head. @found: [out] false if the current token does not start such a
 * line.
 */
static bool parse_head(struct replay_log *log, bool *found)
{
	struct replay_lexer *lexer = &log->lexer;
	struct replay_word *word = head_word(log);

	*found = true;
	if (word) {
		word->place = lexer->token.place;
		return replay_lexer_raw(lexer, word->text, sizeof(word->text));
	}
	if (replay_lexer_is(lexer, "set"))
		return replay_lexer_bad(lexer, lexer->token.place,
					"the log must have at most %d set lines",
					REPLAY_SETS_MAX);
	if (replay_lexer_take(lexer, "ranks")) {
		log->ranks_place = lexer->token.place;
		if (!parse_number(log, "a number of ranks", &log->ranks))
			return false;
		return log->ranks || replay_lexer_bad(lexer, log->ranks_place,
						      "the number of ranks must be at least 1");
	}
	if (replay_lexer_take(lexer, "barrier")) {
		log->barrier_place = lexer->token.place;
		if (!parse_number(log, "a number of ticks", &log->barrier))
			return false;
		log->barrier_fs = parse_unit(log);
		return true;
	}
	*found = false;
	return true;
}

/**
 * replay_log_parse - parse a log
 * @log: [out] freed by replay_log_free(), also after an error
 * @name: name of the file
 * @text: content of the file; must outlive @log
 *
 * Return: false after an error message.
 */
bool replay_log_parse(struct replay_log *log, const char *name, const char *text)
{
	struct replay_block **block = &log->blocks;
	bool found;

	memset(log, 0, sizeof(*log));
	replay_names_begin(&log->names);
	replay_lexer_begin(&log->lexer, name, text);
	while (log->lexer.token.kind != REPLAY_TOKEN_END) {
		if (!parse_head(log, &found))
			return false;
		if (found)
			continue;
		*block = calloc(1, sizeof(**block));
		if (!*block)
			return replay_lexer_bad(&log->lexer, log->lexer.token.place,
						"out of memory");
		if (!parse_block(log, *block))
			return false;
		block = &(*block)->next;
	}
	if (!log->lexer.failed && !log->blocks)
		return replay_lexer_bad(&log->lexer, log->lexer.token.place,
					"the log must contain at least one statement");
	return !log->lexer.failed;
}
