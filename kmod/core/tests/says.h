/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check a message by the values and the key words that it must contain, so that a test does not
 * depend on its wording. Use it for sentences that people read. Compare JSON, names and numbers
 * with assert_string_equal(). A test program includes <cmocka.h> or kselftest's header first.
 */
#ifndef TORUS_CORE_TESTS_SAYS_H
#define TORUS_CORE_TESTS_SAYS_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Check whether @c may not stand next to a word: a letter, a digit or an underscore. */
static inline bool says_inside(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Check whether @text contains the word of @n bytes at @word, or its plural, but not only as a part
 * of another word.
 */
static inline bool says_word(const char *text, const char *word, size_t n)
{
	size_t left = strlen(text), i;

	for (i = 0; i + n <= left; i++) {
		const char *end = text + i + n;

		if (memcmp(text + i, word, n))
			continue;
		if (i && says_inside(text[i - 1]) && says_inside(word[0]))
			continue;
		if (!says_inside(word[n - 1]))
			return true;
		if (!says_inside(*end) || (*end == 's' && !says_inside(end[1])) ||
		    (!strncmp(end, "es", 2) && !says_inside(end[2])))
			return true;
	}
	return false;
}

/**
 * says_lacks() - find a word that a message lacks
 * @text: the message
 * @words: words in any order, separated by blanks
 *
 * Return: the first word that is not in @text, NULL if all words are in @text; "anything" if @words
 * is empty.
 */
static inline const char *says_lacks(const char *text, const char *words)
{
	bool any = false;
	size_t n;

	for (;; words += n) {
		words += strspn(words, " ");
		n = strcspn(words, " ");
		if (!n)
			return any ? NULL : "anything";
		if (!says_word(text, words, n))
			return words;
		any = true;
	}
}

static inline bool says(const char *text, const char *words)
{
	return !says_lacks(text, words);
}

/*
 * Fail unless the message @text contains each of @words. The failure prints @text and the missing
 * word.
 */
#define assert_says(text, words)						\
do {										\
	const char *said_ = (text), *wanted_ = (words);				\
	const char *lacks_ = says_lacks(said_, wanted_);			\
										\
	if (lacks_)								\
		fail_msg("\"%s\" must contain \"%s\": it lacks %.*s",		\
			 said_, wanted_, (int)strcspn(lacks_, " "), lacks_);	\
} while (0)

/* Fail unless the message @text is one line that contains each of @words. */
#define assert_says_line(text, words)						\
do {										\
	const char *line_ = (text);						\
										\
	assert_says(line_, words);						\
	if (strcspn(line_, "\n") + 1 != strlen(line_))				\
		fail_msg("\"%s\" is not one line", line_);			\
} while (0)

#endif /* TORUS_CORE_TESTS_SAYS_H */
