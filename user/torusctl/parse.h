/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_PARSE_H
#define TORUSCTL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../netlink/fabric.h"

/*
 * Words into values.  Each function answers whether the word makes sense; if
 * not, @why names the word and the reason.
 */
struct parse_why {
	char text[256];
};

/**
 * struct parse_shape - a shape, or coordinates
 * @ndims: how many numbers
 * @dims: the numbers
 */
struct parse_shape {
	unsigned int ndims;
	uint32_t dims[TORUS_DIMS_MAX];
};

/**
 * struct parse_place - a node as it was typed
 * @word: the word
 * @all: "all"
 * @by_coords: "1,2,3" rather than a number
 * @number: the number
 * @coords: the coordinates
 */
struct parse_place {
	const char *word;
	bool all;
	bool by_coords;
	uint32_t number;
	struct parse_shape coords;
};

/**
 * struct parse_duration - a time as it was typed
 * @ticks: ticks, when @fs is 0
 * @fs: femtoseconds, when it was typed with a unit
 */
struct parse_duration {
	uint64_t ticks;
	uint64_t fs;
};

bool parse_number(const char *what, const char *word, uint64_t min, uint64_t max,
		  uint64_t *value, struct parse_why *why);
bool parse_u32(const char *what, const char *word, uint32_t min, uint32_t max,
	       uint32_t *value, struct parse_why *why);
bool parse_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		    uint64_t *value, struct parse_why *why);
bool parse_ber(const char *word, uint64_t *value, struct parse_why *why);
bool parse_duration(const char *what, const char *word, struct parse_duration *duration,
		    struct parse_why *why);
bool parse_sizes(const char *word, uint32_t *min, uint32_t *max, struct parse_why *why);
bool parse_name(const char *word, struct parse_why *why);
bool parse_shape(const char *what, const char *word, struct parse_shape *shape,
		 struct parse_why *why);
bool parse_coords(const char *what, const char *word, struct parse_shape *coords,
		  struct parse_why *why);
bool parse_mesh(const char *word, uint32_t *mesh, struct parse_why *why);
bool parse_dir(const char *word, uint32_t *dir, struct parse_why *why);
bool parse_place(const char *word, bool all_allowed, struct parse_place *place,
		 struct parse_why *why);
bool parse_param(const char *key, const char *word, struct torus_nl_param *param,
		 struct parse_why *why);

#endif /* TORUSCTL_PARSE_H */
