// SPDX-License-Identifier: GPL-2.0
/*
 * Escape text from outside the program before the program prints it: names of processes and files,
 * contents of files, environment and arguments.
 *
 * For a terminal, these bytes become \xHH: control characters, characters that change the
 * direction or the lines of text, and invalid UTF-8. Newline, tab and carriage return become \n,
 * \t and \r. All other characters are kept. In a name, a backslash is doubled, so that different
 * names look different. In a message, backslashes are kept, because a message may contain escaped
 * text.
 *
 * In JSON, these characters become \uHHHH, except newlines. Each byte of invalid UTF-8 becomes
 * U+FFFD.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

#define FORM_BYTES	8	/* buffer size in bytes for an escaped character and a NUL */
#define REPLACEMENT	"\xef\xbf\xbd"

/*
 * Return the length of the character at @text in bytes, or 0 for invalid UTF-8: an overlong form, a
 * surrogate, a code above U+10FFFF, or a truncated character. @code: [out] code point.
 */
static size_t escape_decode(const char *text, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	size_t length = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 :
			*at < 0xf8 ? 4 : 0;
	size_t i;

	if (length <= 1) {
		*code = *at;
		return length;
	}
	*code = *at & (0x7f >> length);
	for (i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

/* Check whether a character controls a terminal, or the direction or the lines of text. */
static bool escape_controls(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
	       (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff ||
	       (code >= 0xfff9 && code <= 0xfffb);
}

/*
 * Escape the character at @text. @name: true to double backslashes. @form: [out] escaped character.
 * Return the number of bytes that the character has in @text, at least 1.
 */
static size_t escape_one(const char *text, bool name, char form[FORM_BYTES])
{
	static const char plain[] = "\n\t\r", letters[] = "ntr";
	uint32_t code;
	size_t length = escape_decode(text, &code);
	const char *letter = *text ? strchr(plain, *text) : NULL;

	if (letter)
		snprintf(form, FORM_BYTES, "\\%c", letters[letter - plain]);
	else if (name && *text == '\\')
		strcpy(form, "\\\\");
	else if (length && !escape_controls(code))
		snprintf(form, FORM_BYTES, "%.*s", (int)length, text);
	else
		snprintf(form, FORM_BYTES, "\\x%02x", (unsigned char)*text);
	return length && !escape_controls(code) ? length : 1;
}

/*
 * Escape @text into @to, which has @size bytes (above 0). Text that does not fit is truncated
 * after a whole character.
 */
static void escape_into(const char *text, bool name, char *to, size_t size)
{
	char form[FORM_BYTES];
	size_t used = 0, length;

	while (*text) {
		text += escape_one(text, name, form);
		length = strlen(form);
		if (used + length >= size)
			break;
		memcpy(to + used, form, length);
		used += length;
	}
	to[used] = '\0';
}

/**
 * torus_escape - escape a name for a terminal
 * @text: the name
 * @to: [out] the escaped name
 * @size: bytes of @to, above 0; TORUS_ESCAPED() bytes are always enough
 *
 * Return: @to.
 */
const char *torus_escape(const char *text, char *to, size_t size)
{
	escape_into(text, true, to, size);
	return to;
}

/**
 * torus_escape_put - print an escaped name on a terminal
 * @out: output stream
 * @text: the name
 */
void torus_escape_put(FILE *out, const char *text)
{
	char form[FORM_BYTES];

	while (*text) {
		text += escape_one(text, true, form);
		fputs(form, out);
	}
}

/**
 * torus_escape_vformat - format and escape a message, which becomes one line
 * @to: [out] the message
 * @size: bytes of @to, above 0
 * @format: format as for printf(3)
 * @args: arguments of the format
 */
void torus_escape_vformat(char *to, size_t size, const char *format, va_list args)
{
	char *raw;

	if (vasprintf(&raw, format, args) < 0) {
		escape_into(format, false, to, size);
		return;
	}
	escape_into(raw, false, to, size);
	free(raw);
}

/**
 * torus_escape_message - print an escaped message on a terminal
 * @out: output stream
 * @format: format as for printf(3); a newline is printed as such only at its end
 */
void torus_escape_message(FILE *out, const char *format, ...)
{
	size_t length, size;
	char *raw, *text;
	va_list args;
	bool newline;

	va_start(args, format);
	if (vasprintf(&raw, format, args) < 0)
		raw = NULL;
	va_end(args);
	length = raw ? strlen(raw) : 0;
	newline = length && raw[length - 1] == '\n';
	if (newline)
		raw[--length] = '\0';
	size = TORUS_ESCAPED(length);
	text = malloc(size);
	if (raw && text) {
		escape_into(raw, false, text, size);
		/*
		 * print everything with one write, because other processes may print on the same
		 * terminal
		 */
		fprintf(out, "%s%s", text, newline ? "\n" : "");
	}
	free(text);
	free(raw);
}

/**
 * torus_escape_json - print a JSON document and a newline
 * @out: output stream
 * @document: the document; its strings may contain any bytes
 */
void torus_escape_json(FILE *out, const char *document)
{
	const char *from = document;
	uint32_t code;
	size_t length;

	while (*document) {
		length = escape_decode(document, &code);
		/* newlines between values are layout; json-c has escaped the newlines in strings */
		if (length && (code == '\n' || !escape_controls(code))) {
			document += length;
			continue;
		}
		fwrite(from, 1, (size_t)(document - from), out);
		if (length)
			fprintf(out, "\\u%04x", code);
		else
			fputs(REPLACEMENT, out);
		document += length ? length : 1;
		from = document;
	}
	fwrite(from, 1, (size_t)(document - from), out);
	putc('\n', out);
}
