// SPDX-License-Identifier: GPL-2.0
/* Change parameters of a running fabric: all named parameters, or none. */
#include "core/run/live_params.h"
#include "core/run/config.h"
#include "core/run/params.h"
#include "core/state/fabric.h"

_Static_assert(TORUS_P_MACHINE <= 64, "struct torus_fabric_change has a bit for each");

void torus_change_init(struct torus_fabric_change *change, const struct torus_fabric *f)
{
	change->cfg = f->cfg;
	change->named = 0;
}

int torus_change_set(struct torus_fabric_change *change, const struct torus_fabric *f,
		     const char *key, const char *value, struct torus_error *err)
{
	int i = torus_param_find(f->arch, key, err), ret;
	u64 before;

	if (i < 0)
		return i;
	before = change->cfg.params[i];
	ret = torus_config_set(&change->cfg, key, value, err);
	if (!ret && change->cfg.params[i] != f->cfg.params[i] &&
	    !torus_param_at(f->arch, (u32)i)->live)
		ret = torus_fail(err, EBUSY,
				 "%s: can be set only for a new fabric", key);
	if (ret)
		change->cfg.params[i] = before;
	else if (i < TORUS_P_MACHINE)
		change->named |= 1ull << i;
	return ret;
}

_Static_assert(TORUS_P_CRC < TORUS_P_BER, "what may find no memory before what is lost by it");

/*
 * Apply the new values of the named parameters. An unchanged value is not applied again. Exception:
 * the bit-error rate, because it replaces the rates that single links may have.
 *
 * Parameters are applied in the order of their numbers. The bit-error rate is applied after all
 * others that may fail, because the replaced rates of single links cannot be restored.
 */
static int change_apply(struct torus_fabric *f, u64 named, const struct torus_config *before,
			struct torus_error *err)
{
	int ret = f->arch->configure(f, err);
	u32 i;

	for (i = 0; !ret && i < TORUS_P_MACHINE; i++)
		if (named >> i & 1 &&
		    (i == TORUS_P_BER || f->cfg.params[i] != before->params[i]))
			ret = torus_param_changed(f, i, err);
	return ret;
}

int torus_change_make(struct torus_fabric *f, const struct torus_fabric_change *change,
		      struct torus_error *err)
{
	struct torus_config before = f->cfg;
	int ret;

	f->cfg = change->cfg;
	torus_params_apply(f);
	ret = change_apply(f, change->named, &before, err);
	if (!ret)
		return 0;
	f->cfg = before;
	torus_params_apply(f);
	/* this cannot fail, because the fabric had the same values before */
	f->arch->configure(f, NULL);
	return ret;
}
