/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_READ_H
#define TORUS_SIM_READ_H

struct option;

/**
 * struct sim_reader - the words of a command that takes one word beside its options
 * @options: for getopt_long(), each with a letter
 * @take: takes an option, by its letter, with its value if it has one; answers how the
 *        call goes on: SIM_OK, SIM_HELP, or SIM_USAGE after telling why
 * @missing: what is said where the word is missing
 */
struct sim_reader {
	const struct option *options;
	int (*take)(void *asked, int option, const char *value);
	const char *missing;
};

int sim_read(const struct sim_reader *reader, int argc, char **argv, void *asked,
	     const char **word);

#endif /* TORUS_SIM_READ_H */
