// SPDX-License-Identifier: GPL-2.0
/* The words of a command that takes one word beside its options. */
#include <getopt.h>
#include <stddef.h>

#include "read.h"
#include "sim.h"

/**
 * sim_read - read a command's words
 * @reader: what it takes
 * @argc: words, the command's name the first
 * @argv: the words
 * @asked: for @reader->take
 * @word: gets the word that is no option
 *
 * Return: SIM_OK; SIM_USAGE after telling why; or what @reader->take answered.
 */
int sim_read(const struct sim_reader *reader, int argc, char **argv, void *asked,
	     const char **word)
{
	int status = SIM_OK;

	opterr = 0;
	while (!status) {
		int option = getopt_long(argc, argv, ":h", reader->options, NULL);

		if (option == -1)
			break;
		if (option == ':')
			return sim_bad("%s: its value is missing", argv[optind - 1]);
		if (option == '?')
			return sim_bad("%s: there is no such option", argv[optind - 1]);
		status = reader->take(asked, option, optarg);
	}
	if (status)
		return status;
	if (optind == argc)
		return sim_bad("%s", reader->missing);
	if (optind + 1 < argc)
		return sim_bad("%s: one word too many", argv[optind + 1]);
	*word = argv[optind];
	return SIM_OK;
}
