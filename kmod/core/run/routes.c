// SPDX-License-Identifier: GPL-2.0
/* Routing tables of a fabric: one image, loaded whole or not at all, and given back as it came. */
#include "core/run/fabric.h"

int torus_fabric_routes_load(struct torus_fabric *f, const void *image, size_t bytes,
			     struct torus_error *err)
{
	if (!f->arch->routes_load)
		return torus_fail(err, EOPNOTSUPP, "%s has no routing tables", f->arch->name);
	return f->arch->routes_load(f, image, bytes, err);
}

const void *torus_fabric_routes(const struct torus_fabric *f, size_t *bytes)
{
	*bytes = 0;
	return f->arch->routes_image ? f->arch->routes_image(f, bytes) : NULL;
}
