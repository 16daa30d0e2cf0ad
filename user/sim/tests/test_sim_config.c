// SPDX-License-Identifier: GPL-2.0
/*
 * Test configurations: how file and command line are merged, and which configuration is written.
 * Test also that an error message names the file only if the rejected word is from the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "core/tests/rig.h"
#include "../cmdline/config.h"
#include "../base/message.h"

#define WORDS_MAX	32

static char said[512];
static const char *source;

void sim_source_set(const char *file)
{
	source = file;
}

static void note(const char *format, va_list args)
{
	size_t used = 0;

	if (source)
		used = (size_t)snprintf(said, sizeof(said), "FILE: ");
	vsnprintf(said + used, sizeof(said) - used, format, args);
}

int sim_reject(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	note(format, args);
	va_end(args);
	return SIM_USAGE;
}

int sim_error(const char *format, ...)
{
	fail_msg("%s", format);
	return SIM_FAILED;
}

/* Read the options of a file and of a command line; @line: words separated by blanks. */
static int read_both(struct sim_cmdline *typed, unsigned int command, const char *file,
		     const char *line)
{
	static char words[512], name[] = "/tmp/torus-config-XXXXXX";
	char *argv[WORDS_MAX] = { (char *)"run", (char *)"--config", name };
	int argc = 3, status, fd;
	char *word;

	strcpy(name + strlen(name) - 6, "XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file, strlen(file)), (int)strlen(file));
	close(fd);
	snprintf(words, sizeof(words), "%s", line);
	for (word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0;
	said[0] = '\0';
	status = sim_cmdline_read(typed, command, argc, argv);
	unlink(name);
	return status;
}

/* Check that file and command line together give the configuration @wanted. */
static void expect(unsigned int command, const char *file, const char *line, const char *wanted)
{
	struct json_object *doc;
	struct sim_cmdline typed;

	assert_int_equal(read_both(&typed, command, file, line), SIM_OK);
	doc = sim_config_json(&typed, command);
	assert_string_equal(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN), wanted);
	json_object_put(doc);
	sim_cmdline_free(&typed);
}

static void refuse(unsigned int command, const char *file, const char *line, const char *reason)
{
	struct sim_cmdline typed;

	assert_int_equal(read_both(&typed, command, file, line), SIM_USAGE);
	assert_says(said, reason);
}

#define RUN	SIM_FOR_RUN
#define SWEEP	SIM_FOR_SWEEP

static void test_command_line_overrides_file(void **unused)
{
	expect(RUN, "{\"arch\":\"bgl\",\"seed\":3}", "--seed 5", "{\"arch\":\"bgl\",\"seed\":5}");
	expect(RUN, "{\"statistics\":false,\"apart\":true}", "", "{\"apart\":true}");
}

static void test_set_and_over_are_merged_by_key(void **unused)
{
	expect(RUN, "{\"set\":{\"vc_bytes\":512,\"crc\":\"full\"}}", "--set vc_bytes=1024",
	       "{\"set\":{\"crc\":\"full\",\"vc_bytes\":1024}}");
	/* crc is a prefix of the key crcs, but a different key */
	expect(RUN, "{\"set\":{\"crc\":\"full\"}}", "--set crcs=1",
	       "{\"set\":{\"crc\":\"full\",\"crcs\":1}}");
	expect(SWEEP, "{\"over\":{\"vc_bytes\":[512,1024],\"load\":[0.1,0.2]}}",
	       "--over vc_bytes=768", "{\"over\":{\"load\":[0.1,0.2],\"vc_bytes\":768}}");
	expect(SWEEP, "{\"over\":{\"vc_bytes\":[512,1024],\"seed\":[1,2],\"size\":[32,64]}}",
	       "--set vc_bytes=768 --seed 4",
	       "{\"over\":{\"size\":[32,64]},\"seed\":4,\"set\":{\"vc_bytes\":768}}");
}

static void test_any_load_option_overrides_the_others(void **unused)
{
	static const char *const lines[] = {
		"--load 0.4", "--packets 4", "--loads 1:2:1", "--find-saturation", "--over load=1",
	};
	static const char *const wanted[] = {
		"{\"load\":0.4}", "{\"packets\":4}", "{\"loads\":\"1:2:1\"}",
		"{\"find-saturation\":true}", "{\"over\":{\"load\":1}}",
	};
	size_t i;

	for (i = 0; i < 5; i++) {
		expect(SWEEP, "{\"load\":0.1}", lines[i], wanted[i]);
		expect(SWEEP, "{\"loads\":\"3:4:1\"}", lines[i], wanted[i]);
		expect(SWEEP, "{\"packets\":9}", lines[i], wanted[i]);
		expect(SWEEP, "{\"over\":{\"load\":[3,4]}}", lines[i], wanted[i]);
		expect(SWEEP, "{\"find-saturation\":true}", lines[i], wanted[i]);
	}
}

static void test_lists_are_replaced_entirely(void **unused)
{
	const char *file = "{\"fault\":[\"a\",\"b\"],\"table\":[\"t\",{\"file\":\"u\",\"at\":5}]}";

	expect(RUN, file, "", "{\"table\":[{\"file\":\"t\",\"at\":0},{\"file\":\"u\",\"at\":5}],"
	       "\"fault\":[\"a\",\"b\"]}");
	expect(RUN, file, "--fault c", "{\"table\":[{\"file\":\"t\",\"at\":0},"
	       "{\"file\":\"u\",\"at\":5}],\"fault\":[\"c\"]}");
	expect(RUN, file, "--table v at 2us", "{\"table\":[{\"file\":\"v\",\"at\":\"2us\"}],"
	       "\"fault\":[\"a\",\"b\"]}");
}

/* A number is written with the same characters as in the input. */
static void test_numbers_keep_their_digits(void **unused)
{
	expect(RUN, "{\"load\":0.30,\"seed\":18446744073709551615,\"size\":\"0x20\"}", "",
	       "{\"load\":0.30,\"size\":\"0x20\",\"seed\":\"18446744073709551615\"}");
	expect(RUN, "{\"seed\":9007199254740992}", "", "{\"seed\":9007199254740992}");
	expect(RUN, "{\"seed\":9007199254740993}", "", "{\"seed\":\"9007199254740993\"}");
	expect(RUN, "{}", "--load .3 --seed 007 --size 32:64 --warmup auto --cycles 1e3",
	       "{\"load\":\".3\",\"size\":\"32:64\",\"cycles\":1e3,\"warmup\":\"auto\","
	       "\"seed\":\"007\"}");
}

static void test_errors_name_the_file(void **unused)
{
	struct sim_cmdline typed;

	refuse(RUN, "{\"load\":null}", "", "FILE: load null");
	refuse(RUN, "{\"load\":1}", "--arch", "--arch value");
	assert_int_equal(read_both(&typed, RUN, "{\"load\":1,\"set\":{\"crc\":\"full\"}}",
				   "--seed 1 --set jsq=on"), SIM_OK);
	assert_true(sim_config_has(typed.words, typed.load));
	assert_false(sim_config_has(typed.words, typed.seed));
	assert_true(sim_config_has(typed.words, typed.sets[0]));
	assert_false(sim_config_has(typed.words, typed.sets[1]));
	sim_config_from(&typed, typed.seed, typed.load);
	assert_non_null(source);
	sim_config_from(&typed, typed.seed, NULL);
	assert_null(source);
	sim_cmdline_free(&typed);
}

/* A written configuration does not contain options about the output. */
static void test_output_options_are_not_written(void **unused)
{
	expect(SWEEP, "{\"csv\":true,\"plot\":\"x\"}", "--load 1 --progress", "{\"load\":1}");
	expect(RUN, "{\"json\":true}", "--histogram f --links g", "{\"statistics\":true}");
	expect(SWEEP, "{\"json\":true}", "--csv", "{}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_line_overrides_file),
		cmocka_unit_test(test_set_and_over_are_merged_by_key),
		cmocka_unit_test(test_any_load_option_overrides_the_others),
		cmocka_unit_test(test_lists_are_replaced_entirely),
		cmocka_unit_test(test_numbers_keep_their_digits),
		cmocka_unit_test(test_errors_name_the_file),
		cmocka_unit_test(test_output_options_are_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
