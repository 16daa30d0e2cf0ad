// SPDX-License-Identifier: GPL-2.0
/*
 * Build a configuration from a shape and KEY=VALUE pairs, and reject values that the machine does
 * not allow.
 */
#include "core/run/config.h"
#include "core/base/node_number.h"
#include "core/base/parse_number.h"
#include "core/run/params.h"

#define CONFIG_SEED	1

/* Maximum bytes of a list of accepted values in an error message. */
#define CONFIG_LIST	96
/* Maximum bytes of a shape's text in an error message; a longer text is truncated. */
#define CONFIG_SHAPE	72

/* Append @word to the list in @buf, truncated to @size bytes. */
static void config_list_add(char *buf, size_t size, const char *word)
{
	size_t used = strlen(buf);

	scnprintf(buf + used, size - used, used ? " %s" : "%s", word);
}

static const char *config_list(char *buf, size_t size, const char *const *words)
{
	buf[0] = '\0';
	for (; *words; words++)
		config_list_add(buf, size, *words);
	return buf;
}

void torus_config_init(struct torus_config *cfg, const struct torus_arch *arch)
{
	u32 i;

	memset(cfg, 0, sizeof(*cfg));
	cfg->arch = arch;
	cfg->seed = CONFIG_SEED;
	cfg->domains = 1;
	for (i = 0; i < torus_param_count(arch); i++) {
		const struct torus_param *param = torus_param_at(arch, i);

		cfg->params[i] = param ? param->def : 0;
	}
}

int torus_config_named(struct torus_config *cfg, const struct torus_arch *const *archs,
		       const char *name, struct torus_error *err)
{
	char word[TORUS_WORD], list[CONFIG_LIST] = "";
	u32 i;

	for (i = 0; archs[i]; i++) {
		if (!strcmp(archs[i]->name, name)) {
			torus_config_init(cfg, archs[i]);
			return 0;
		}
		config_list_add(list, sizeof(list), archs[i]->name);
	}
	return torus_fail(err, EINVAL, "unknown arch '%s': must be one of %s",
			  torus_word(name, word), list);
}

/* Write a shape like "4x4x4" into @buf; after TORUS_DIMS_MAX dimensions, write "x..". */
static const char *shape_text(u32 ndims, const u32 *dims, char *buf, size_t size)
{
	size_t used = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; i < ndims && i < TORUS_DIMS_MAX; i++)
		used += scnprintf(buf + used, size - used, i ? "x%u" : "%u", dims[i]);
	if (i < ndims)
		scnprintf(buf + used, size - used, "x..");
	return buf;
}

/* Write the name of dimension @dim ("x", "y", ..) into @buf. */
static const char *config_dimension_name(u32 dim, char *buf, size_t size)
{
	torus_direction_name(dim * 2, buf, size);
	buf[strlen(buf) - 1] = '\0';
	return buf;
}

static int shape_check_ndims(const struct torus_arch *arch, u32 ndims, const char *shape,
			     struct torus_error *err)
{
	u32 least = arch->dims_min, most = arch->dims_max;

	if (ndims >= least && ndims <= most)
		return 0;
	if (least == most)
		return torus_fail(err, EINVAL, "shape %s: %s requires %u dimensions, not %u", shape,
				  arch->name, least, ndims);
	return torus_fail(err, EINVAL, "shape %s: %s requires %u to %u dimensions, not %u", shape,
			  arch->name, least, most, ndims);
}

static int shape_check_lengths(const struct torus_arch *arch, u32 ndims, const u32 *dims,
			       const char *shape, struct torus_error *err)
{
	char name[16];
	u32 i;

	for (i = 0; i < ndims; i++) {
		config_dimension_name(i, name, sizeof(name));
		if (!dims[i])
			return torus_fail(err, EINVAL,
					  "shape %s: dimension %s is 0, must be at least 1",
					  shape, name);
		if (dims[i] > arch->length_max)
			return torus_fail(err, EINVAL,
					  "shape %s: dimension %s is %u, %s allows at most %u",
					  shape, name, dims[i], arch->name, arch->length_max);
	}
	return 0;
}

static int shape_check_mesh(const struct torus_geometry *g, u32 mesh, const char *shape,
			    struct torus_error *err)
{
	u64 beyond = (u64)mesh >> g->ndims;
	char name[16];

	if (!beyond)
		return 0;
	config_dimension_name(g->ndims + torus_ctz(beyond), name, sizeof(name));
	return torus_fail(err, EINVAL, "shape %s: there is no dimension %s to make a mesh", shape,
			  name);
}

/* Return the number of nodes: the product of the lengths, at most 2^64 - 1. */
static u64 shape_nodes(u32 ndims, const u32 *dims)
{
	u64 nodes = 1;
	u32 i;

	for (i = 0; i < ndims; i++) {
		/* nodes < 2^32 here, so the product of two u32 fits in 64 bits */
		nodes *= dims[i];
		if (nodes >> 32)
			break;
	}
	for (i++; i < ndims; i++) {
		u64 high = (nodes >> 32) * dims[i];

		if (high >> 32)
			return ~0ull;
		high += (nodes & 0xffffffffu) * dims[i] >> 32;
		if (high >> 32)
			return ~0ull;
		nodes *= dims[i];
	}
	return nodes;
}

/* Set the machine's node numbers for the shape. The numbers may depend on parameters. */
static int config_number(struct torus_config *cfg, struct torus_error *err)
{
	char shape[CONFIG_SHAPE];

	if (!cfg->arch->numbering || !cfg->geo.nodes)
		return 0;
	cfg->arch->numbering(cfg, &cfg->geo);
	if (torus_number_init(&cfg->geo))
		return 0;
	return torus_fail(err, EINVAL, "shape %s: %s has too few node numbers for all nodes",
			  torus_geometry_shape(&cfg->geo, shape, sizeof(shape)), cfg->arch->name);
}

int torus_config_shape(struct torus_config *cfg, u32 ndims, const u32 *dims, u32 mesh,
		       struct torus_error *err)
{
	const struct torus_arch *arch = cfg->arch;
	struct torus_geometry geo = { .ndims = ndims, .mesh = mesh, .nshape = ndims };
	char shape[CONFIG_SHAPE];
	u64 nodes;
	int ret;

	shape_text(ndims, dims, shape, sizeof(shape));
	ret = shape_check_ndims(arch, ndims, shape, err);
	if (!ret)
		ret = shape_check_lengths(arch, ndims, dims, shape, err);
	if (ret)
		return ret;
	memcpy(geo.dims, dims, ndims * sizeof(*dims));
	memcpy(geo.shape, dims, ndims * sizeof(*dims));
	if (arch->shape)
		ret = arch->shape(&geo, err);
	if (!ret)
		ret = shape_check_mesh(&geo, mesh, shape, err);
	if (ret)
		return ret;

	if (!torus_geometry_init(&geo, arch->nodes_max)) {
		nodes = shape_nodes(geo.ndims, geo.dims);
		return torus_fail(err, EINVAL, "shape %s: %s%llu nodes, %s allows at most %u",
				  shape, nodes == ~0ull ? "more than " : "", nodes,
				  arch->name, arch->nodes_max);
	}
	cfg->geo = geo;
	return config_number(cfg, err);
}

/*
 * Check whether @param is a fraction. The text of a fraction is a decimal number below 1, or 0x and
 * a hexadecimal number in units of 2^-64.
 */
static bool param_is_fraction(const struct torus_param *param)
{
	return !param->values && param->unit == TORUS_UNIT_FRACTION;
}

static const char *param_text(const struct torus_param *param, u64 value, char *buf, size_t size)
{
	if (param_is_fraction(param))
		return torus_fraction_text(value, buf, size);
	scnprintf(buf, size, "%llu", value);
	return buf;
}

/* Reject the number @value, which is outside the range of @param. */
static int param_fail_range(const struct torus_param *param, const char *value,
			    struct torus_error *err)
{
	char least[TORUS_FRACTION_TEXT], most[TORUS_FRACTION_TEXT], word[TORUS_WORD];
	bool fraction = param_is_fraction(param);

	param_text(param, param->min, least, sizeof(least));
	param_text(param, param->max, most, sizeof(most));
	if (fraction && param->max == ~0ull)
		return torus_fail(err, ERANGE, "%s=%s: must be at least %s and below 1",
				  param->name, torus_word(value, word), least);
	return torus_fail(err, ERANGE, "%s=%s: must be %s to %s", param->name,
			  torus_word(value, word), least, most);
}

static int param_fail_number(const struct torus_param *param, const char *value,
			     struct torus_error *err)
{
	char word[TORUS_WORD];

	return torus_fail(err, EINVAL, "%s=%s: must be a number", param->name,
			  torus_word(value, word));
}

static u32 param_count(const struct torus_param *param)
{
	u32 n = 0;

	while (param->values[n])
		n++;
	return n;
}

static int param_parse_name(const struct torus_param *param, const char *value, u64 *out,
			    struct torus_error *err)
{
	char list[CONFIG_LIST], word[TORUS_WORD];
	u32 i;

	for (i = 0; param->values[i]; i++) {
		if (!strcmp(param->values[i], value)) {
			*out = i;
			return 0;
		}
	}
	return torus_fail(err, EINVAL, "%s=%s: must be one of %s", param->name,
			  torus_word(value, word),
			  config_list(list, sizeof(list), param->values));
}

static int param_parse(const struct torus_param *param, const char *value, u64 *out,
		       struct torus_error *err)
{
	bool hex = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	int ret;

	if (param->values)
		return param_parse_name(param, value, out, err);
	if (param_is_fraction(param) && !hex)
		ret = torus_parse_fraction(value, 64, out);
	else
		ret = torus_parse_number(value, out);
	if (ret == -EINVAL)
		return param_fail_number(param, value, err);
	if (ret || *out < param->min || *out > param->max)
		return param_fail_range(param, value, err);
	return 0;
}

int torus_config_set(struct torus_config *cfg, const char *key, const char *value,
		     struct torus_error *err)
{
	int i = torus_param_find(cfg->arch, key, err);
	u64 number;
	int ret;

	if (i < 0)
		return i;
	ret = param_parse(torus_param_at(cfg->arch, i), value, &number, err);
	if (ret)
		return ret;
	cfg->params[i] = number;
	return config_number(cfg, err);
}

/**
 * torus_config_set_number() - set one parameter to a number
 * @cfg: configuration to change
 * @key: name of the parameter
 * @value: the number, the index of an enumeration's value, or a fraction in units of 2^-64
 * @err: [out] error message
 *
 * Return: 0, -ENOENT for an unknown key, -EOPNOTSUPP for a parameter that the machine lacks,
 * -ERANGE for a bad value, -EINVAL if the value leaves nodes of the shape without numbers.
 */
int torus_config_set_number(struct torus_config *cfg, const char *key, u64 value,
			    struct torus_error *err)
{
	int i = torus_param_find(cfg->arch, key, err);
	const struct torus_param *param;
	char text[TORUS_FRACTION_TEXT];

	if (i < 0)
		return i;
	param = torus_param_at(cfg->arch, i);
	if (param->values && value >= param_count(param))
		return torus_fail(err, ERANGE, "%s=%llu: must be 0 to %u", key, value,
				  param_count(param) - 1);
	if (!param->values && (value < param->min || value > param->max))
		return param_fail_range(param, param_text(param, value, text, sizeof(text)),
					err);
	cfg->params[i] = value;
	return config_number(cfg, err);
}

/**
 * torus_config_text() - write a parameter's value in the syntax of torus_config_set()
 * @cfg: configuration to read
 * @i: index of a parameter that the machine has
 * @buf: [out] text; TORUS_FRACTION_TEXT bytes suffice for numbers and fractions
 * @size: bytes of @buf, above 0
 *
 * Return: @buf.
 */
const char *torus_config_text(const struct torus_config *cfg, u32 i, char *buf, size_t size)
{
	const struct torus_param *param = torus_param_at(cfg->arch, i);
	u64 value = cfg->params[i];

	if (!param->values)
		return param_text(param, value, buf, size);
	if (value < param_count(param))
		scnprintf(buf, size, "%s", param->values[value]);
	else
		scnprintf(buf, size, "%llu", value);
	return buf;
}

bool torus_config_number(const struct torus_config *cfg, const char *key, u64 *value)
{
	int i = torus_param_find(cfg->arch, key, NULL);

	if (i < 0)
		return false;
	*value = cfg->params[i];
	return true;
}
