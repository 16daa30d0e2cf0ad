/* SPDX-License-Identifier: GPL-2.0 */
/* Lexer of an application's log. */
#ifndef TORUS_REPLAY_LEXER_H
#define TORUS_REPLAY_LEXER_H

#include <stdbool.h>

#include "core/platform.h"

/**
 * struct replay_place - position in a log
 * @line: number of the line, from 1
 * @column: number of the byte in the line, from 1
 */
struct replay_place {
	u32 line;
	u32 column;
};

enum replay_token_kind {
	REPLAY_TOKEN_END,
	REPLAY_TOKEN_NUMBER,
	REPLAY_TOKEN_NAME,
	REPLAY_TOKEN_SIGN,
};

/**
 * struct replay_token - a token of a log
 * @kind: enum replay_token_kind
 * @place: position of the first byte
 * @start: first byte of the token's text
 * @length: bytes of the token
 * @value: value of the token, if it is a number
 */
struct replay_token {
	enum replay_token_kind kind;
	struct replay_place place;
	const char *start;
	u32 length;
	s64 value;
};

/**
 * struct replay_lexer - state of the lexer
 * @name: name of the file, for messages
 * @at: next byte to be read
 * @line: line of @at
 * @line_start: first byte of that line
 * @token: current token
 * @failed: true after an error was reported; @token then stays REPLAY_TOKEN_END
 */
struct replay_lexer {
	const char *name;
	const char *at;
	u32 line;
	const char *line_start;
	struct replay_token token;
	bool failed;
};

void replay_lexer_begin(struct replay_lexer *lexer, const char *name, const char *text);
void replay_lexer_next(struct replay_lexer *lexer);
bool replay_lexer_is(const struct replay_lexer *lexer, const char *word);
bool replay_lexer_take(struct replay_lexer *lexer, const char *word);
bool replay_lexer_raw(struct replay_lexer *lexer, char *word, size_t size);
bool replay_lexer_bad(struct replay_lexer *lexer, struct replay_place place, const char *format,
		      ...)
	__attribute__((format(printf, 3, 4)));
bool replay_lexer_unexpected(struct replay_lexer *lexer, const char *wanted);

#endif /* TORUS_REPLAY_LEXER_H */
