// SPDX-License-Identifier: GPL-2.0
/* One side of a comparison: a fabric with its configuration lines, and their texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "config.h"
#include "diag.h"
#include "side.h"

static int by_text(const void *left, const void *right)
{
	const struct config_side_line *a = left;
	const struct config_side_line *b = right;

	return strcmp(a->text, b->text);
}

/**
 * config_side_read - read the lines of a fabric
 * @ctl: the call, for error messages
 * @nl: session with the fabric
 * @name: name of the fabric; if it does not exist, @side has no lines
 * @side: [out] freed with config_side_free(), also after a failure
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_side_read(struct ctl *ctl, struct torus_nl *nl, const char *name,
		     struct config_side *side)
{
	struct ctl call = *ctl;
	int status, error;
	size_t i;

	*side = (struct config_side){ .there = false };
	call.nl = nl;
	error = torus_nl_fabric_get(nl, name, &side->fabric);
	if (error)
		return error == -ENOENT ? CTL_OK : ctl_failed(&call);
	side->there = true;
	status = config_read(&call, name, &side->config);
	if (status)
		return status;
	side->lines = calloc(side->config.count + 1, sizeof(*side->lines));
	for (i = 0; side->lines && i < side->config.count; i++) {
		side->lines[i].line = &side->config.lines[i];
		side->lines[i].text = config_text(side->lines[i].line);
		if (!side->lines[i].text)
			break;
	}
	if (!side->lines || i < side->config.count) {
		ctl_error(ctl, "fabric %s: out of memory for its lines", name);
		return CTL_FAILED;
	}
	return CTL_OK;
}

/* Free the lines of a side. */
void config_side_free(struct config_side *side)
{
	size_t i;

	for (i = 0; side->lines && i < side->config.count; i++)
		free(side->lines[i].text);
	free(side->lines);
	config_free(&side->config);
}

static void side_sort(struct config_side *side)
{
	size_t i;

	for (i = 0; i < side->config.count; i++)
		side->lines[i].same = false;
	if (side->config.count)
		qsort(side->lines, side->config.count, sizeof(*side->lines), by_text);
}

/**
 * config_sides_match - sort the lines of two sides by text, and mark those that both sides have
 *
 * Return: true if the sides are equal.
 */
bool config_sides_match(struct config_side *a, struct config_side *b)
{
	size_t i = 0, j = 0, equal = 0;
	int order;

	side_sort(a);
	side_sort(b);
	while (i < a->config.count && j < b->config.count) {
		order = strcmp(a->lines[i].text, b->lines[j].text);
		if (!order) {
			a->lines[i].same = true;
			b->lines[j].same = true;
			equal++;
		}
		i += order <= 0;
		j += order >= 0;
	}
	return equal == a->config.count && equal == b->config.count;
}
