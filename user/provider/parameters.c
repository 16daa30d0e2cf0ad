// SPDX-License-Identifier: GPL-2.0
/* Parameters of the provider, from the environment. */
#include <string.h>
#include "parameters.h"

/**
 * prov_parameters_define() - define the parameters that fi_info -e lists
 */
void prov_parameters_define(void)
{
	fi_param_define(&prov_provider, "route", FI_PARAM_STRING,
			"Route of packets: dynamic (default) or ordered, equal in all processes");
	fi_param_define(&prov_provider, "eager", FI_PARAM_SIZE_T,
			"Longest message in bytes that is sent before its receive is posted (%u)",
			TORUS_MATCH_EAGER);
	fi_param_define(&prov_provider, "window", FI_PARAM_SIZE_T,
			"Bytes of such messages from one sender that wait at a receiver (%u)",
			TORUS_MATCH_WINDOW);
}

/* Read a parameter that is a number of bytes. */
static uint32_t parameter_bytes(const char *name, size_t most)
{
	size_t value;

	if (fi_param_get_size_t(&prov_provider, name, &value) || !value)
		return 0;
	if (value <= most)
		return value;
	prov_log(FI_LOG_WARN, FI_LOG_CORE, "parameter %s %zu: must be at most %zu\n", name, value,
		 most);
	return most;
}

/**
 * prov_parameters_read() - read the parameters
 * @config: [out] limits of the matching
 * @route: [out] route of the job's packets
 */
void prov_parameters_read(struct torus_match_config *config, enum torus_route *route)
{
	char *text;

	config->eager = parameter_bytes("eager", TORUS_MATCH_EAGER_MAX);
	config->window = parameter_bytes("window", UINT32_MAX);
	*route = TORUS_ROUTE_DYNAMIC;
	if (fi_param_get_str(&prov_provider, "route", &text) || !strcmp(text, "dynamic"))
		return;
	if (!strcmp(text, "ordered"))
		*route = TORUS_ROUTE_ORDERED;
	else
		prov_log(FI_LOG_WARN, FI_LOG_CORE,
			 "FI_TORUS_ROUTE %s: must be dynamic or ordered\n", text);
}
