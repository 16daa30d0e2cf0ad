/* SPDX-License-Identifier: GPL-2.0 */
/* Expressions of a log: integers with the operators of C, and a few functions. */
#ifndef TORUS_REPLAY_EXPR_H
#define TORUS_REPLAY_EXPR_H

#include "lexer.h"

#define REPLAY_NAMES_MAX	64
#define REPLAY_NAME_MAX		24	/* maximum bytes of a name, with NUL */
#define REPLAY_ARGS_MAX		TORUS_DIMS_MAX

/* Indices of the predefined variables; the variables that the log defines follow. */
enum {
	REPLAY_RANK,
	REPLAY_SIZE,
	REPLAY_COORD,				/* coordinates of the rank: x y z .. */
	REPLAY_LENGTH = REPLAY_COORD + TORUS_DIMS_MAX,	/* lengths of the grid: nx ny nz .. */
	REPLAY_FIRST = REPLAY_LENGTH + TORUS_DIMS_MAX,
};

/**
 * struct replay_names - variables of a log
 * @name: names of the variables, by index
 */
struct replay_names {
	u32 count;
	char name[REPLAY_NAMES_MAX][REPLAY_NAME_MAX];
};

enum replay_expr_kind {
	REPLAY_EXPR_NUMBER,
	REPLAY_EXPR_NAME,
	REPLAY_EXPR_BINARY,
	REPLAY_EXPR_CALL,
};

/**
 * struct replay_expr - an expression
 * @kind: enum replay_expr_kind
 * @place: position of the number, the name or the sign
 * @value: the number, or the index of the variable, operator or function
 * @args: number of entries in @arg
 * @arg: the operands
 */
struct replay_expr {
	enum replay_expr_kind kind;
	struct replay_place place;
	s64 value;
	u32 args;
	struct replay_expr *arg[REPLAY_ARGS_MAX];
};

struct replay_expr *replay_expr_parse(struct replay_lexer *lexer,
				      const struct replay_names *names);
bool replay_expr_value(struct replay_lexer *lexer, const struct replay_expr *expr,
		       const s64 *values, s64 *value);
void replay_expr_free(struct replay_expr *expr);
void replay_names_begin(struct replay_names *names);
bool replay_names_find(const struct replay_names *names, const struct replay_token *token,
		       u32 *index);

#endif /* TORUS_REPLAY_EXPR_H */
