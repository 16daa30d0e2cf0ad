// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions of a log: integers, the operators of C with C's precedence, and a few functions.
 * Unlike in C, division rounds down, and a remainder has the sign of the divisor. So (rank - 1) %
 * size is always a rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/report.h"
#include "../sim/base/message.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "expr.h"

#define DEPTH_MAX	64

enum operator {
	OP_OR, OP_AND, OP_BIT_OR, OP_BIT_XOR, OP_BIT_AND, OP_EQUAL, OP_UNEQUAL, OP_LESS,
	OP_NOT_MORE, OP_MORE, OP_NOT_LESS, OP_LEFT, OP_RIGHT, OP_PLUS, OP_MINUS, OP_TIMES,
	OP_OVER, OP_MOD,
};

struct operator_row {
	const char *sign;
	u32 precedence;
};

static const struct operator_row operators[] = {
	[OP_OR] = { "||", 1 },
	[OP_AND] = { "&&", 2 },
	[OP_BIT_OR] = { "|", 3 },
	[OP_BIT_XOR] = { "^", 4 },
	[OP_BIT_AND] = { "&", 5 },
	[OP_EQUAL] = { "==", 6 },
	[OP_UNEQUAL] = { "!=", 6 },
	[OP_LESS] = { "<", 7 },
	[OP_NOT_MORE] = { "<=", 7 },
	[OP_MORE] = { ">", 7 },
	[OP_NOT_LESS] = { ">=", 7 },
	[OP_LEFT] = { "<<", 8 },
	[OP_RIGHT] = { ">>", 8 },
	[OP_PLUS] = { "+", 9 },
	[OP_MINUS] = { "-", 9 },
	[OP_TIMES] = { "*", 10 },
	[OP_OVER] = { "/", 10 },
	[OP_MOD] = { "%", 10 },
};

#define OPERATORS	((u32)(sizeof(operators) / sizeof(operators[0])))

enum function { CALL_AT, CALL_MIN, CALL_MAX, CALL_NOT, CALL_NEGATE };

/* Names of the functions that a log can call. The other two functions are signs before a value. */
static const char *const functions[] = {
	[CALL_AT] = "at", [CALL_MIN] = "min", [CALL_MAX] = "max",
};

#define FUNCTIONS	((u32)(sizeof(functions) / sizeof(functions[0])))

/**
 * replay_names_begin - define the variables that all logs have
 * @names: [out] the variables
 */
void replay_names_begin(struct replay_names *names)
{
	char dim[PARSE_DIM_MAX];
	u32 i;

	memset(names, 0, sizeof(*names));
	names->count = REPLAY_FIRST;
	strcpy(names->name[REPLAY_RANK], "rank");
	strcpy(names->name[REPLAY_SIZE], "size");
	for (i = 0; i < TORUS_DIMS_MAX; i++) {
		parse_dim_name(i, dim, sizeof(dim));
		snprintf(names->name[REPLAY_COORD + i], REPLAY_NAME_MAX, "%s", dim);
		snprintf(names->name[REPLAY_LENGTH + i], REPLAY_NAME_MAX, "n%s", dim);
	}
}

/**
 * replay_names_find - find a variable by name
 * @token: name of the variable
 * @index: [out] index of the variable
 *
 * Return: false if there is no such variable.
 */
bool replay_names_find(const struct replay_names *names, const struct replay_token *token,
		       u32 *index)
{
	for (*index = 0; *index < names->count; ++*index)
		if (strlen(names->name[*index]) == token->length &&
		    !strncmp(names->name[*index], token->start, token->length))
			return true;
	return false;
}

/* ------------------------------------------------------------------ parsing */

static struct replay_expr *expr_new(struct replay_lexer *lexer, enum replay_expr_kind kind,
				    s64 value)
{
	struct replay_expr *expr = calloc(1, sizeof(*expr));

	if (!expr) {
		replay_lexer_bad(lexer, lexer->token.place, "out of memory");
		return NULL;
	}
	expr->kind = kind;
	expr->place = lexer->token.place;
	expr->value = value;
	return expr;
}

static struct replay_expr *parse(struct replay_lexer *lexer, const struct replay_names *names,
				 u32 precedence, u32 depth);

static bool parse_arg(struct replay_lexer *lexer, const struct replay_names *names,
		      struct replay_expr *expr, u32 precedence, u32 depth)
{
	expr->arg[expr->args] = parse(lexer, names, precedence, depth);
	if (!expr->arg[expr->args])
		return false;
	expr->args++;
	return true;
}

/* Parse the arguments of a function in parentheses. */
static bool parse_args(struct replay_lexer *lexer, const struct replay_names *names,
		       struct replay_expr *expr, u32 depth)
{
	struct replay_place place = lexer->token.place;

	if (!replay_lexer_take(lexer, "("))
		return replay_lexer_unexpected(lexer, "(");
	do {
		if (expr->args == REPLAY_ARGS_MAX)
			return replay_lexer_bad(lexer, place,
						"the expression must have at most %d values",
						REPLAY_ARGS_MAX);
		if (!parse_arg(lexer, names, expr, 1, depth))
			return false;
	} while (replay_lexer_take(lexer, ","));
	if (!replay_lexer_take(lexer, ")"))
		return replay_lexer_unexpected(lexer, ") or ,");
	if (expr->value != CALL_AT && expr->args != 2)
		return replay_lexer_bad(lexer, place, "%s() must have 2 values",
					functions[expr->value]);
	return true;
}

static struct replay_expr *parse_name(struct replay_lexer *lexer, const struct replay_names *names,
				      u32 depth)
{
	struct replay_token name = lexer->token;
	struct replay_expr *expr;
	u32 i;

	for (i = 0; i < FUNCTIONS && !replay_lexer_is(lexer, functions[i]); i++)
		;
	if (i < FUNCTIONS) {
		expr = expr_new(lexer, REPLAY_EXPR_CALL, i);
		replay_lexer_next(lexer);
		if (expr && parse_args(lexer, names, expr, depth))
			return expr;
		replay_expr_free(expr);
		return NULL;
	}
	if (!replay_names_find(names, &name, &i)) {
		replay_lexer_bad(lexer, name.place, "\"%.*s\": unknown variable",
				 (int)(name.length < REPLAY_NAME_MAX ? name.length :
								     REPLAY_NAME_MAX),
				 name.start);
		return NULL;
	}
	expr = expr_new(lexer, REPLAY_EXPR_NAME, i);
	replay_lexer_next(lexer);
	return expr;
}

/* Parse a sign and the value after it. */
static struct replay_expr *parse_unary(struct replay_lexer *lexer,
				       const struct replay_names *names, u32 depth)
{
	enum function call = replay_lexer_is(lexer, "!") ? CALL_NOT : CALL_NEGATE;
	struct replay_expr *expr = expr_new(lexer, REPLAY_EXPR_CALL, call);

	replay_lexer_next(lexer);
	/*
	 * 11 is above the precedence of all operators, because a sign binds tighter than an
	 * operator
	 */
	if (expr && parse_arg(lexer, names, expr, 11, depth))
		return expr;
	replay_expr_free(expr);
	return NULL;
}

static struct replay_expr *parse_value(struct replay_lexer *lexer,
				       const struct replay_names *names, u32 depth)
{
	struct replay_expr *expr;

	if (lexer->token.kind == REPLAY_TOKEN_NUMBER) {
		expr = expr_new(lexer, REPLAY_EXPR_NUMBER, lexer->token.value);
		replay_lexer_next(lexer);
		return expr;
	}
	if (lexer->token.kind == REPLAY_TOKEN_NAME)
		return parse_name(lexer, names, depth);
	if (replay_lexer_is(lexer, "!") || replay_lexer_is(lexer, "-"))
		return parse_unary(lexer, names, depth);
	if (!replay_lexer_take(lexer, "(")) {
		replay_lexer_unexpected(lexer, "a value");
		return NULL;
	}
	expr = parse(lexer, names, 1, depth);
	if (!expr || replay_lexer_take(lexer, ")"))
		return expr;
	replay_lexer_unexpected(lexer, ")");
	replay_expr_free(expr);
	return NULL;
}

/* Find the operator that the current token is, if its precedence is at least @precedence. */
static bool find_operator(const struct replay_lexer *lexer, u32 precedence, u32 *found)
{
	for (*found = 0; *found < OPERATORS; ++*found)
		if (operators[*found].precedence >= precedence &&
		    replay_lexer_is(lexer, operators[*found].sign))
			return true;
	return false;
}

static struct replay_expr *parse(struct replay_lexer *lexer, const struct replay_names *names,
				 u32 precedence, u32 depth)
{
	struct replay_expr *left;
	u32 found;

	if (depth == DEPTH_MAX) {
		replay_lexer_bad(lexer, lexer->token.place,
				 "values must not be nested more than %d deep",
				 DEPTH_MAX);
		return NULL;
	}
	left = parse_value(lexer, names, depth + 1);
	while (left && find_operator(lexer, precedence, &found)) {
		struct replay_expr *expr = expr_new(lexer, REPLAY_EXPR_BINARY, found);

		if (!expr) {
			replay_expr_free(left);
			return NULL;
		}
		expr->arg[expr->args++] = left;
		left = expr;
		replay_lexer_next(lexer);
		if (!parse_arg(lexer, names, expr, operators[found].precedence + 1, depth + 1)) {
			replay_expr_free(expr);
			return NULL;
		}
	}
	return left;
}

/**
 * replay_expr_parse - parse an expression
 * @lexer: the log, at the first token of the expression
 * @names: the variables
 *
 * Return: the expression, freed by replay_expr_free(); NULL after an error message.
 */
struct replay_expr *replay_expr_parse(struct replay_lexer *lexer, const struct replay_names *names)
{
	return parse(lexer, names, 1, 0);
}

/**
 * replay_expr_free - free an expression
 * @expr: may be NULL
 */
void replay_expr_free(struct replay_expr *expr)
{
	u32 i;

	if (!expr)
		return;
	for (i = 0; i < expr->args; i++)
		replay_expr_free(expr->arg[i]);
	free(expr);
}

/* --------------------------------------------------------------- evaluating */

static s64 floor_mod(s64 a, s64 b)
{
	s64 rest = b == -1 ? 0 : a % b;

	return rest && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Divide and round down. Return: false if the result is out of range. */
static bool divide(s64 a, s64 b, s64 *value)
{
	if (b == -1)
		return !__builtin_sub_overflow(0, a, value);
	*value = (a - floor_mod(a, b)) / b;
	return true;
}

static bool shift(enum operator op, s64 a, s64 b, s64 *value)
{
	if (a < 0 || b < 0 || b > 62 || (op == OP_LEFT && a > INT64_MAX >> b))
		return false;
	*value = op == OP_LEFT ? a << b : a >> b;
	return true;
}

static bool binary(enum operator op, s64 a, s64 b, s64 *value)
{
	switch (op) {
	case OP_OR:
		*value = a || b;
		break;
	case OP_AND:
		*value = a && b;
		break;
	case OP_BIT_OR:
		*value = a | b;
		break;
	case OP_BIT_XOR:
		*value = a ^ b;
		break;
	case OP_BIT_AND:
		*value = a & b;
		break;
	case OP_EQUAL:
		*value = a == b;
		break;
	case OP_UNEQUAL:
		*value = a != b;
		break;
	case OP_LESS:
		*value = a < b;
		break;
	case OP_NOT_MORE:
		*value = a <= b;
		break;
	case OP_MORE:
		*value = a > b;
		break;
	case OP_NOT_LESS:
		*value = a >= b;
		break;
	case OP_LEFT:
	case OP_RIGHT:
		return shift(op, a, b, value);
	case OP_PLUS:
		return !__builtin_add_overflow(a, b, value);
	case OP_MINUS:
		return !__builtin_sub_overflow(a, b, value);
	case OP_TIMES:
		return !__builtin_mul_overflow(a, b, value);
	case OP_OVER:
		return divide(a, b, value);
	case OP_MOD:
		*value = floor_mod(a, b);
		break;
	}
	return true;
}

/* Return the rank at given coordinates. A coordinate outside the grid wraps around. */
static s64 rank_at(const struct replay_expr *expr, const s64 *values, const s64 *coords)
{
	s64 stride = 1;
	s64 rank = 0;
	u32 i;

	for (i = 0; i < TORUS_DIMS_MAX; i++) {
		s64 coord = i < expr->args ? coords[i] : values[REPLAY_COORD + i];

		rank += stride * floor_mod(coord, values[REPLAY_LENGTH + i]);
		stride *= values[REPLAY_LENGTH + i];
	}
	return rank;
}

static bool call(struct replay_lexer *lexer, const struct replay_expr *expr, const s64 *values,
		 const s64 *arg, s64 *value)
{
	switch ((enum function)expr->value) {
	case CALL_AT:
		*value = rank_at(expr, values, arg);
		break;
	case CALL_MIN:
		*value = arg[0] < arg[1] ? arg[0] : arg[1];
		break;
	case CALL_MAX:
		*value = arg[0] > arg[1] ? arg[0] : arg[1];
		break;
	case CALL_NOT:
		*value = !arg[0];
		break;
	case CALL_NEGATE:
		if (__builtin_sub_overflow(0, arg[0], value))
			return replay_lexer_bad(lexer, expr->place,
						"-(%lld): the result is out of range of 64 bits",
						(long long)arg[0]);
	}
	return true;
}

/**
 * replay_expr_value - evaluate an expression
 * @lexer: the log, for error messages
 * @values: values of the variables
 * @value: [out] the result
 *
 * Return: false after an error message.
 */
bool replay_expr_value(struct replay_lexer *lexer, const struct replay_expr *expr,
		       const s64 *values, s64 *value)
{
	s64 arg[REPLAY_ARGS_MAX] = { 0 };
	u32 i;

	for (i = 0; i < expr->args; i++)
		if (!replay_expr_value(lexer, expr->arg[i], values, &arg[i]))
			return false;
	switch (expr->kind) {
	case REPLAY_EXPR_NUMBER:
		*value = expr->value;
		return true;
	case REPLAY_EXPR_NAME:
		*value = values[expr->value];
		return true;
	case REPLAY_EXPR_CALL:
		return call(lexer, expr, values, arg, value);
	case REPLAY_EXPR_BINARY:
		break;
	}
	if ((expr->value == OP_OVER || expr->value == OP_MOD) && !arg[1])
		return replay_lexer_bad(lexer, expr->place,
					"rank %lld: a value must not be divided by 0",
					values[REPLAY_RANK]);
	if (binary((enum operator)expr->value, arg[0], arg[1], value))
		return true;
	return replay_lexer_bad(lexer, expr->place,
				"rank %lld: the result is out of range of 64 bits",
				values[REPLAY_RANK]);
}
