// SPDX-License-Identifier: GPL-2.0
/*
 * Run a fuzz target over files without a fuzzer, so that saved inputs are tests for any compiler.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "take.h"

#define INPUT_MAX	(1u << 20)

static unsigned int done;

static bool run_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	uint8_t *bytes, *exact;
	size_t size;

	if (!file) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return false;
	}
	bytes = malloc(INPUT_MAX);
	size = bytes ? fread(bytes, 1, INPUT_MAX, file) : 0;
	fclose(file);
	/* Allocate exactly the input's size, so that AddressSanitizer finds reads beyond it. */
	exact = malloc(size ? size : 1);
	if (bytes && exact) {
		memcpy(exact, bytes, size);
		LLVMFuzzerTestOneInput(exact, size);
		done++;
	}
	free(exact);
	free(bytes);
	return bytes && exact;
}

static bool run_directory(const char *name)
{
	struct dirent *entry;
	char path[4096];
	bool good = true;
	DIR *dir = opendir(name);

	if (!dir) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return false;
	}
	while (good && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
		good = run_file(path);
	}
	closedir(dir);
	return good;
}

int main(int argc, char **argv)
{
	struct stat stat_;
	int i;

	for (i = 1; i < argc; i++) {
		bool directory = !stat(argv[i], &stat_) && S_ISDIR(stat_.st_mode);

		if (!(directory ? run_directory(argv[i]) : run_file(argv[i])))
			return EXIT_FAILURE;
	}
	printf("%u inputs\n", done);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
