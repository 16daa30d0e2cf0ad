// SPDX-License-Identifier: GPL-2.0
/* Words within a refusal, which is one line. */
#include "core/base/text.h"

/**
 * torus_text_word() - a user's word as far as it can be shown on one line
 * @word: the word
 * @buf: where; TORUS_TEXT_WORD bytes
 *
 * The end of a long one is left out, so that the reason behind it is not.
 *
 * Return: @buf.
 */
const char *torus_text_word(const char *word, char *buf)
{
	u32 i;

	for (i = 0; word[i] && i < TORUS_TEXT_WORD - 1; i++)
		buf[i] = word[i] > ' ' && word[i] < 0x7f ? word[i] : '?';
	buf[i] = '\0';
	if (word[i])
		memcpy(buf + i - 2, "..", 2);
	return buf;
}

/**
 * torus_text_list_add() - append a word to a list
 * @buf: the list, words with a space between
 * @size: its length in bytes; what does not fit is left out
 * @word: the word
 */
void torus_text_list_add(char *buf, size_t size, const char *word)
{
	size_t used = strlen(buf);

	scnprintf(buf + used, size - used, used ? " %s" : "%s", word);
}
