// SPDX-License-Identifier: GPL-2.0
/* The command about the machine's own registers. */
#include <linux/kernel.h>
#include <linux/regmap.h>

#include "port_test.h"

/* dcr N: read the machine's register number N by the regmap. */
int port_test_dcr(struct port_test *test, const char *what)
{
	struct regmap *map = dev_get_regmap(&test->td->dev, "dcr");
	unsigned int reg, value;
	int err = kstrtouint(what, 0, &reg);

	if (!map)
		return -ENOENT;
	if (!err)
		err = regmap_read(map, reg, &value);
	if (!err)
		snprintf(test->result, sizeof(test->result), "0x%08x\n", value);
	return err;
}
