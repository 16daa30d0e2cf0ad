// SPDX-License-Identifier: GPL-2.0
/* The entry point of the provider. */
#include "domain.h"
#include "info.h"
#include "parameters.h"
#include "provider.h"

static void provider_cleanup(void)
{
}

struct fi_provider prov_provider = {
	.version = FI_VERSION(0, 1),
	.fi_version = FI_VERSION(1, 17),
	.name = PROVIDER_NAME,
	.getinfo = prov_getinfo,
	.fabric = prov_fabric,
	.cleanup = provider_cleanup,
};

__attribute__((visibility("default"))) struct fi_provider *fi_prov_ini(void);

/**
 * fi_prov_ini() - return the provider to libfabric, which has loaded it
 *
 * Return: the provider.
 */
struct fi_provider *fi_prov_ini(void)
{
	prov_parameters_define();
	return &prov_provider;
}
