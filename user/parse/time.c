// SPDX-License-Identifier: GPL-2.0
/* Parse times: ticks, or a decimal number with a unit. */
#include <string.h>

#include "core/base/parse_number.h"
#include "integer.h"
#include "time.h"
#include "parse.h"

#define FS_PER_NS	1000000ull

static bool unit_fs(const char *unit, __u64 *fs)
{
	static const struct {
		const char *name;
		__u64 fs;
	} units[] = {
		{ "ns", FS_PER_NS },
		{ "us", FS_PER_NS * 1000 },
		{ "ms", FS_PER_NS * 1000000 },
		{ "s", FS_PER_NS * 1000000000 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		*fs = units[i].fs;
		return true;
	}
	return false;
}

/*
 * Add the decimal places of a time. The unit of each place is a tenth of the unit of the previous
 * place. Return false if the time reaches 2^64 fs.
 */
static bool add_places(const char *digit, const char *end, __u64 unit, __u64 *fs)
{
	for (; digit < end; digit++) {
		unit /= 10;
		if (__builtin_add_overflow(*fs, (__u64)(*digit - '0') * unit, fs))
			return false;
	}
	return true;
}

/**
 * parse_time - parse a time
 * @what: name of the value, for the error message
 * @word: ticks, or a decimal number with one of the units ns, us, ms, s
 * @time: [out] the time
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_time(const char *what, const char *word, struct parse_time *time,
		struct parse_error *why)
{
	size_t whole_length = strspn(word, "0123456789");
	size_t length = strspn(word, "0123456789.");
	const char *point = word + whole_length;
	__u64 whole, unit, fs;

	*time = (struct parse_time){ .fs = 0 };
	if (!word[length] || !whole_length || !unit_fs(word + length, &unit)) {
		if (whole_length && word[length] && word[length] != 'x')
			return parse_fail(why, "%s %s: must be ticks, or a time in ns, us, ms or s",
					  what, word);
		return parse_number(what, word, 0, ~0ull, &time->ticks, why);
	}
	if (*point == '.' && (point + 1 == word + length || strchr(point + 1, '.')))
		return parse_fail(why, "%s %s: must be a number", what, word);
	if (!parse_part(word, point, &whole) || __builtin_mul_overflow(whole, unit, &fs) ||
	    !add_places(point + (*point == '.'), word + length, unit, &fs))
		return parse_fail(why, "%s %s: must be at most 2^64 fs", what, word);
	time->fs = fs;
	return true;
}

/**
 * parse_time_ticks - convert a time to ticks
 * @time: the time
 * @tick_fs: length of a tick in femtoseconds; may be 0 if the time is in ticks
 *
 * Return: the number of ticks, rounded up.
 */
__u64 parse_time_ticks(const struct parse_time *time, __u64 tick_fs)
{
	if (!time->fs || !tick_fs)
		return time->ticks;
	return time->fs / tick_fs + !!(time->fs % tick_fs);
}
