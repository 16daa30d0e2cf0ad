// SPDX-License-Identifier: GPL-2.0
/*
 * Machines of another size that are like one: all lengths in the same proportion, so that each
 * dimension's links carry the same part of what they can.
 */
#include <math.h>

#include "core/run/config.h"
#include "probe.h"

#define FEW	0.6	/* of the nodes that there might be: too few */
#define TRIES	60	/* halvings of what a length is multiplied by */

/* Mean links between two coordinates of a dimension, and what its busiest links carry for it. */
static double dimension_mean(const struct torus_geometry *geo, u32 dim, double *busiest)
{
	double n = geo->dims[dim], half = floor(n / 2), ring = half * (n - half) / n;

	*busiest = ring;
	if (!(geo->mesh >> dim & 1))
		return ring;
	/* the middle link of either direction, as if all shared the load alike */
	*busiest = 2 * ring;
	return (n * n - 1) / (3 * n);
}

/**
 * plan_distance - how far packets go
 * @geo: the shape
 * @pattern: TORUS_PATTERN_*
 * @spread: gets the sum over all dimensions beside the greatest of one: how many dimensions'
 *          links are busy where the busiest dimension's are
 *
 * Return: mean hops, in proportion to those of any other shape.
 */
double plan_distance(const struct torus_geometry *geo, u32 pattern, double *spread)
{
	double sum = 0, most = 0, busiest;
	u32 dims = geo->ndims, dim;

	*spread = geo->ndims;
	if (pattern == TORUS_PATTERN_NEIGHBOR || pattern == TORUS_PATTERN_STENCIL)
		return pattern == TORUS_PATTERN_NEIGHBOR ? 1 : geo->ndims * 2 / 3.0;
	if (pattern == TORUS_PATTERN_ALLTOALL_LINE)
		dims = 1;
	else if (pattern == TORUS_PATTERN_ALLTOALL_PLANE && dims > 2)
		dims = 2;
	for (dim = 0; dim < dims; dim++) {
		sum += dimension_mean(geo, dim, &busiest);
		most = busiest > most ? busiest : most;
	}
	*spread = most > 0 ? sum / most : 1;
	return sum > 0 ? sum : 1;
}

/*
 * A length in proportion.  Packets go half-way round: where that is an odd number of links, every
 * second one carries more, so the rest by four stays what it is;
 * by two where that leaves too little choice.
 */
static u32 scaled(u32 length, double by, u32 step, u32 most)
{
	u32 rest = length % step;
	double whole = round((length * by - rest) / step);
	u32 n = step * (u32)(whole > 0 ? whole : 0) + rest;

	if (n < 2)
		n = length < step ? length : step;
	return n > most ? most : n;
}

static bool scale_by(struct torus_config *config, const struct torus_config *like, double by,
		     u32 step)
{
	const struct torus_geometry *geo = &like->geo;
	u32 dims[TORUS_DIMS_MAX], i;
	struct torus_error err;

	*config = *like;
	for (i = 0; i < geo->nshape; i++)
		dims[i] = scaled(geo->shape[i], by, step, like->arch->length_max);
	return !torus_config_shape(config, geo->nshape, dims,
				   geo->mesh & ((1u << geo->nshape) - 1), &err);
}

/* What cannot become shorter has fewer dimensions: a hypercube. */
static bool scale_dimensions(struct torus_config *config, double nodes)
{
	struct torus_geometry geo = config->geo;
	u32 i = geo.nshape;
	struct torus_error err;

	while (i-- > 1 && config->geo.nodes > nodes) {
		geo.shape[i] = 1;
		if (torus_config_shape(config, geo.nshape, geo.shape,
				       geo.mesh & ((1u << geo.nshape) - 1), &err))
			return false;
	}
	return true;
}

/* The largest of the machines whose lengths keep their rest by @step. */
static bool scale_step(struct torus_config *config, const struct torus_config *like, double nodes,
		       u32 step)
{
	double low = 0, high = 2 * nodes / like->geo.nodes + 1, by;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		by = (low + high) / 2;
		if (scale_by(config, like, by, step) && config->geo.nodes <= nodes)
			low = by;
		else
			high = by;
	}
	return scale_by(config, like, low, step);
}

/**
 * plan_scale - a machine of another size
 * @config: gets what it is made from
 * @like: what it is to be like
 * @nodes: about how many it is to have, and no more
 *
 * Return: false where there is none.
 */
bool plan_scale(struct torus_config *config, const struct torus_config *like, double nodes)
{
	if (!scale_step(config, like, nodes, 4))
		return false;
	if ((config->geo.nodes < FEW * nodes || config->geo.nodes > nodes) &&
	    !scale_step(config, like, nodes, 2))
		return false;
	return scale_dimensions(config, nodes);
}
