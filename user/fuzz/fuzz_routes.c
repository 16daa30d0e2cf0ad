// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz routing tables of a Cray XT. The first byte selects a JSON file or a binary image for the
 * module. If the core accepts an image, it must return the same bytes, and the target sends
 * packets by these tables. Whatever the tables contain, each lost packet must be counted.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <linux/torus.h>

#include "../route/file/read.h"
#include "../route/file/write.h"
#include "arch/arch.h"
#include "core/run/census.h"
#include "core/run/fabric.h"
#include "take.h"
#include "core/run/routing_tables.h"
#include "core/run/windows.h"

/* limit of the run in ticks, because packets may circulate if the tables contain cycles */
#define TICKS	2000

static struct torus_fabric *fabric;

static void make(void)
{
	static const u32 dims[] = { 3, 2, 2 };
	struct torus_config config;
	struct torus_error err;

	fuzz_demand(!torus_arch_config(&config, "xt", &err));
	fuzz_demand(!torus_config_shape(&config, 3, dims, 0, &err));
	fuzz_demand(!torus_fabric_create(&config, &fabric, &err));
}

static void a_file(const u8 *data, size_t size)
{
	struct xt_tables *tables;
	struct parse_error why = { "" };
	struct xt_map *map;
	char path[64];
	int fd = memfd_create("tables", 0);

	fuzz_demand(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (xt_file_read(path, &map, &tables, &why)) {
		FILE *out = fopen("/dev/null", "w");

		fuzz_demand(out && xt_file_write(out, tables));
		fclose(out);
		xt_tables_free(tables);
		xt_map_free(map);
	} else {
		fuzz_demand(why.text[0]);
	}
	close(fd);
}

static void traffic(void)
{
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 64, .packets = 4,
	};
	struct torus_check check;
	struct torus_error err;

	if (torus_traffic_start(fabric, &t, &err))
		return;
	torus_fabric_run(fabric, torus_fabric_clock(fabric) + TICKS, 0, 1);
	fuzz_demand(!torus_check_fabric(fabric, &check) && check.conserved && !check.wrong);
	torus_traffic_stop(fabric);
}

static void an_image(struct fuzz_input *input)
{
	u32 *image = malloc(input->left ? input->left : 1);
	struct torus_error err = { 0 };
	size_t bytes = input->left, back;
	const void *kept;

	fuzz_demand(image);
	fuzz_take(input, image, bytes);
	if (torus_fabric_routes_load(fabric, image, bytes, TORUS_ROUTES_NOW, &err)) {
		fuzz_demand(err.text[0]);
	} else {
		kept = torus_fabric_routes(fabric, &back);
		fuzz_demand(kept && back == bytes && !memcmp(kept, image, bytes));
		traffic();
	}
	free(image);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct torus_error err;

	if (size && data[0] == '{') {
		a_file(data, size);
		return 0;
	}
	if (!fabric)
		make();
	an_image(&input);
	fuzz_demand(!torus_fabric_reset(fabric, 1, &err));
	return 0;
}
