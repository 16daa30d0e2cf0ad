// SPDX-License-Identifier: GPL-2.0
/* Lexer of an application's log: tokens with their line and column. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../sim/base/message.h"
#include "lexer.h"

#define SHOWN_MAX	40	/* maximum bytes of a token in an error message */
#define REASON_MAX	256

static const char *const long_signs[] = {
	"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "..",
};

#define LONG_SIGNS	(sizeof(long_signs) / sizeof(long_signs[0]))

static struct replay_place here(const struct replay_lexer *lexer)
{
	return (struct replay_place){
		.line = lexer->line,
		.column = (u32)(lexer->at - lexer->line_start) + 1,
	};
}

/**
 * replay_lexer_bad - reject a log with an error message
 * @place: position of the error
 * @format: format of the reason, as for printf()
 *
 * Only the first error is reported, because later ones may follow from it.
 *
 * Return: false.
 */
bool replay_lexer_bad(struct replay_lexer *lexer, struct replay_place place, const char *format,
		      ...)
{
	char reason[REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	if (!lexer->failed)
		sim_reject("%s:%u:%u: %s", lexer->name, place.line, place.column, reason);
	lexer->failed = true;
	lexer->token.kind = REPLAY_TOKEN_END;
	lexer->token.length = 0;
	return false;
}

/**
 * replay_lexer_unexpected - reject the current token with an error message
 * @wanted: description of the tokens that the parser accepts here
 *
 * Return: false.
 */
bool replay_lexer_unexpected(struct replay_lexer *lexer, const char *wanted)
{
	const struct replay_token *token = &lexer->token;
	int length = token->length < SHOWN_MAX ? (int)token->length : SHOWN_MAX;

	if (token->kind == REPLAY_TOKEN_END)
		return replay_lexer_bad(lexer, token->place,
					"the log ends here, but %s must follow", wanted);
	return replay_lexer_bad(lexer, token->place, "\"%.*s\": must be %s", length, token->start,
				wanted);
}

static void skip_space(struct replay_lexer *lexer)
{
	for (;; lexer->at++) {
		if (*lexer->at == '#')
			lexer->at += strcspn(lexer->at, "\n");
		if (*lexer->at == '\n') {
			lexer->line++;
			lexer->line_start = lexer->at + 1;
		} else if (!*lexer->at || !strchr(" \t\r;", *lexer->at)) {
			return;
		}
	}
}

static bool name_byte(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

/*
 * Return the factor of a suffix K, M or G at @at, or 1 if there is no suffix. @bytes: [out] length
 * of the suffix, or 0.
 */
static s64 suffix(const char *at, u32 *bytes)
{
	*bytes = *at && strchr("KMG", *at) && !name_byte(at[1]);
	if (!*bytes)
		return 1;
	return *at == 'K' ? 1ll << 10 : *at == 'M' ? 1ll << 20 : 1ll << 30;
}

static void number_too_large(struct replay_lexer *lexer, size_t behind)
{
	const char *start = lexer->token.start;
	size_t length = strspn(start, "0123456789") + behind;

	replay_lexer_bad(lexer, lexer->token.place, "%.*s: the number is too large",
			 (int)(length < SHOWN_MAX ? length : SHOWN_MAX), start);
}

static void lex_number(struct replay_lexer *lexer)
{
	struct replay_token *token = &lexer->token;
	u32 bytes;

	token->kind = REPLAY_TOKEN_NUMBER;
	token->value = 0;
	for (; isdigit((unsigned char)*lexer->at); lexer->at++) {
		if (__builtin_mul_overflow(token->value, 10, &token->value) ||
		    __builtin_add_overflow(token->value, *lexer->at - '0', &token->value)) {
			number_too_large(lexer, 0);
			return;
		}
	}
	if (__builtin_mul_overflow(token->value, suffix(lexer->at, &bytes), &token->value)) {
		number_too_large(lexer, bytes);
		return;
	}
	lexer->at += bytes;
}

static void lex_sign(struct replay_lexer *lexer)
{
	size_t i;

	lexer->token.kind = REPLAY_TOKEN_SIGN;
	for (i = 0; i < LONG_SIGNS; i++) {
		if (strncmp(lexer->at, long_signs[i], 2))
			continue;
		lexer->at += 2;
		return;
	}
	if (!strchr("+-*/%&|^<>=(){},!", *lexer->at)) {
		if (isprint((unsigned char)*lexer->at))
			replay_lexer_bad(lexer, lexer->token.place,
					 "'%c' is not a character of the log language", *lexer->at);
		else
			replay_lexer_bad(lexer, lexer->token.place,
					 "byte %#x is not a character of the log language",
					 (unsigned char)*lexer->at);
		return;
	}
	lexer->at++;
}

/**
 * replay_lexer_next - read the next token of a log
 */
void replay_lexer_next(struct replay_lexer *lexer)
{
	struct replay_token *token = &lexer->token;

	if (lexer->failed)
		return;
	skip_space(lexer);
	token->place = here(lexer);
	token->start = lexer->at;
	if (!*lexer->at) {
		token->kind = REPLAY_TOKEN_END;
	} else if (isdigit((unsigned char)*lexer->at)) {
		lex_number(lexer);
	} else if (name_byte(*lexer->at)) {
		token->kind = REPLAY_TOKEN_NAME;
		while (name_byte(*lexer->at))
			lexer->at++;
	} else {
		lex_sign(lexer);
	}
	token->length = lexer->failed ? 0 : (u32)(lexer->at - token->start);
}

/**
 * replay_lexer_begin - start to read a log
 * @lexer: [out] contains the first token
 * @name: name of the file
 * @text: content of the file; must outlive @lexer
 */
void replay_lexer_begin(struct replay_lexer *lexer, const char *name, const char *text)
{
	*lexer = (struct replay_lexer){
		.name = name,
		.at = text,
		.line = 1,
		.line_start = text,
	};
	replay_lexer_next(lexer);
}

/**
 * replay_lexer_is - check whether the current token is a given word
 * @word: a name or a sign
 */
bool replay_lexer_is(const struct replay_lexer *lexer, const char *word)
{
	const struct replay_token *token = &lexer->token;

	return (token->kind == REPLAY_TOKEN_NAME || token->kind == REPLAY_TOKEN_SIGN) &&
	       token->length == strlen(word) && !strncmp(token->start, word, token->length);
}

/**
 * replay_lexer_take - skip the current token if it is @word
 * @word: a name or a sign
 *
 * Return: true if the token was skipped.
 */
bool replay_lexer_take(struct replay_lexer *lexer, const char *word)
{
	if (!replay_lexer_is(lexer, word))
		return false;
	replay_lexer_next(lexer);
	return true;
}

/**
 * replay_lexer_raw - read all bytes up to the next white space, semicolon or comment as one word
 * @lexer: [in, out] the log, after the current token
 * @word: [out] the word
 * @size: bytes of @word
 *
 * Afterwards the next token is read.
 *
 * Return: false after an error message.
 */
bool replay_lexer_raw(struct replay_lexer *lexer, char *word, size_t size)
{
	struct replay_place place;
	size_t length;

	if (lexer->failed)
		return false;
	lexer->at += strspn(lexer->at, " \t");
	length = strcspn(lexer->at, " \t\r\n;#");
	place = here(lexer);
	if (!length)
		return replay_lexer_bad(lexer, place, "the value is missing");
	if (length >= size)
		return replay_lexer_bad(lexer, place, "the word is too long");
	memcpy(word, lexer->at, length);
	word[length] = '\0';
	lexer->at += length;
	replay_lexer_next(lexer);
	return !lexer->failed;
}
