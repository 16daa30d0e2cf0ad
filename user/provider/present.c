// SPDX-License-Identifier: GPL-2.0
/* Check that there is a fabric to use. */
#include <stdlib.h>
#include <unistd.h>
#include "present.h"

/**
 * prov_present() - check that the module is loaded, and that the fabric of TORUS_FABRIC exists if
 * the variable is set
 *
 * Return: true if so; otherwise the reason was logged.
 */
bool prov_present(void)
{
	struct torus_fabric_info fabric;
	const char *name = getenv("TORUS_FABRIC");

	if (access("/dev/torus", R_OK | W_OK)) {
		prov_log(FI_LOG_INFO, FI_LOG_CORE, "/dev/torus cannot be opened\n");
		return false;
	}
	if (!name || !*name || !torus_fabric_find(name, &fabric))
		return true;
	prov_log(FI_LOG_INFO, FI_LOG_CORE, "%s\n", torus_error_text());
	return false;
}
