// SPDX-License-Identifier: GPL-2.0
/*
 * Describe the routing tables of a fabric in a configuration: by a line that names a file in the
 * same directory.
 *
 * The line is omitted if the tables equal those of a new fabric. The file name contains a checksum
 * of the tables, so equal tables have equal lines.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/output_file.h"
#include "../machine/machine.h"
#include "../route/file/write.h"
#include "../route/spec/kernel_image.h"
#include "../route/spec/fabric_io.h"
#include "config.h"
#include "../route/spec/first_error.h"
#include "tables.h"
#include "diag.h"

/*
 * Compute a checksum of the tables. The image numbers pages in the order of their first use, so
 * equal tables have equal images.
 */
static bool tables_sum(const struct xt_tables *tables, const struct xt_map *map, uint64_t *sum,
		       struct parse_error *why)
{
	struct xt_tables *again;
	const uint8_t *byte;
	size_t bytes, i;
	void *image = xt_image_make(tables, &bytes, why);
	bool good;

	if (!image)
		return false;
	good = xt_image_read(image, bytes, map, &again, why);
	free(image);
	if (!good)
		return false;
	image = xt_image_make(again, &bytes, why);
	xt_tables_free(again);
	for (*sum = bytes, byte = image, i = 0; image && i < bytes; i++)
		*sum = (*sum ^ byte[i]) * 0x9e3779b97f4a7c15ull;
	free(image);
	return image;
}

/* Compute the checksum of the tables that `fabric add` loads. */
static bool first_sum(const struct torus_nl_fabric *fabric, uint64_t *sum, struct parse_error *why)
{
	const char *const words[XT_KEYS] = { NULL };
	struct xt_spec first;
	bool good;

	good = xt_live_map(fabric, &first, why) && xt_spec_words(&first, words, why) &&
	       xt_spec_compute(&first, why) && tables_sum(first.tables, first.map, sum, why);
	xt_spec_free(&first);
	return good;
}

/**
 * config_route_tail - format the arguments of `route load` for a fabric's tables
 * @ctl: the call, connected
 * @tail: [out] arguments; "" if the tables equal those of a new fabric, or if the machine has no
 *    tables
 * @size: size of @tail in bytes
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_route_tail(struct ctl *ctl, const struct torus_nl_fabric *fabric, char *tail,
		      size_t size)
{
	struct xt_spec now;
	struct parse_error why;
	uint64_t sum, first;
	bool good;

	*tail = '\0';
	if (!torus_machine_can(torus_machine_find(fabric->arch), TORUS_MACHINE_TABLES))
		return CTL_OK;
	/*
	 * the module reports that tables wait for their tick, but not the contents of these tables
	 */
	if (fabric->routes_wait) {
		ctl_error(ctl,
			  "fabric %s: cannot read the tables for tick %" PRIu64 " yet: wait for "
			  "that tick, or load tables without at", fabric->name, fabric->routes_at);
		return CTL_FAILED;
	}
	good = !xt_live_read(ctl->nl, fabric, &now, &why) &&
	       tables_sum(now.tables, now.map, &sum, &why) && first_sum(fabric, &first, &why);
	if (good && sum != first)
		snprintf(tail, size, "%s-%016" PRIx64 ".json%s", fabric->name, sum,
			 xt_spec_check(now.tables, &why) ? "" : " force");
	xt_spec_free(&now);
	if (good)
		return CTL_OK;
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/**
 * config_route_write - write the tables of a fabric to the file that its line names
 * @ctl: the call, connected
 * @dir: directory of the file
 * @tail: arguments from config_route_tail(), which contain the file name
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_route_write(struct ctl *ctl, const struct torus_nl_fabric *fabric, const char *dir,
		       const char *tail)
{
	int length = (int)strcspn(tail, " "), status = CTL_OK;
	struct xt_spec now;
	struct parse_error why;
	char *name;
	FILE *file;

	if (asprintf(&name, "%s/%.*s", dir, length, tail) < 0) {
		ctl_error(ctl, "out of memory for the name of a file");
		return CTL_FAILED;
	}
	file = torus_output_open(name);
	if (!file) {
		ctl_error(ctl, "%s: %s", name, strerror(errno));
		free(name);
		return CTL_FAILED;
	}
	if (xt_live_read(ctl->nl, fabric, &now, &why)) {
		ctl_error(ctl, "%s", why.text);
		status = CTL_FAILED;
	} else if (!xt_file_write(file, now.tables)) {
		ctl_error(ctl, "%s: %s", name, strerror(errno));
		status = CTL_FAILED;
	}
	xt_spec_free(&now);
	if (status) {
		torus_output_discard(file, name);
	} else if (!torus_output_close(file, name)) {
		ctl_error(ctl, "%s: %s", name, strerror(errno));
		status = CTL_FAILED;
	}
	free(name);
	return status;
}
