// SPDX-License-Identifier: GPL-2.0
/* Names of the reasons for which packets are dropped. */
#include <string.h>

#include "drop.h"

/* names of the drop reasons, for an old module that does not report these names */
#define DROPS_KNOWN	"no_listener hop_limit rx_stall no_route reset ecc"

/**
 * drop_name - copy the name of a drop reason
 * @drops: names of the fabric's drop reasons, separated by blanks; "" if the module sent none
 * @drop: number of the reason
 * @name: [out] the name; DROP_NAME_MAX bytes
 *
 * Return: false if there is no such reason.
 */
bool drop_name(const char *drops, unsigned int drop, char *name)
{
	size_t length;

	if (!*drops)
		drops = DROPS_KNOWN;
	for (; drop; drop--)
		drops += strcspn(drops, " ") + (drops[strcspn(drops, " ")] == ' ');
	length = strcspn(drops, " ");
	if (length >= DROP_NAME_MAX)
		length = DROP_NAME_MAX - 1;
	memcpy(name, drops, length);
	name[length] = '\0';
	return length && strcmp(name, "-");
}
