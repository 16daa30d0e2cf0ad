// SPDX-License-Identifier: GPL-2.0
/*
 * Stop injection while tables change, and resume it.
 *
 * torusd and `torusctl unit` stop injection with the value "drain", and an administrator with
 * "hold". So torusd recognizes an administrator's stop, which it must not end. It also finds the
 * stop of a torusd that was killed.
 */
#include <stdlib.h>
#include <string.h>

#include "inject_hold.h"
#include "log.h"
#include "torusd.h"

#define KEY	"inject"
#define OWN	"drain"

static const char *inject_word(const struct torus_nl_fabric *fabric)
{
	size_t i;

	for (i = 0; i < fabric->nparams; i++)
		if (!strcmp(fabric->params[i].key, KEY))
			return fabric->params[i].text;
	return "";
}

static bool inject_set(struct torusd *d, const char *fabric, const char *word)
{
	struct torus_nl_param param = { .key = KEY, .is_text = true };

	strcpy(param.text, word);
	if (!torus_nl_fabric_set(d->ctl->nl, fabric, &param, 1))
		return true;
	torusd_log(NULL, "%s", torus_nl_error(d->ctl->nl));
	return false;
}

/**
 * torusd_inject_hold - stop injection into a network
 * @d: the agent
 * @fabric: name of the fabric
 *
 * Return: true if injection is stopped, by torusd or by an administrator.
 */
bool torusd_inject_hold(struct torusd *d, const char *fabric)
{
	struct torus_nl_fabric now;

	if (torus_nl_fabric_get(d->ctl->nl, fabric, &now)) {
		torusd_log(NULL, "%s", torus_nl_error(d->ctl->nl));
		return false;
	}
	return !strcmp(inject_word(&now), "hold") || inject_set(d, fabric, OWN);
}

/**
 * torusd_inject_go - resume injection after torusd_inject_hold(), unless an administrator has
 * stopped injection
 * @d: the agent
 * @fabric: name of the fabric
 */
void torusd_inject_go(struct torusd *d, const char *fabric)
{
	struct torus_nl_fabric now;

	if (!torus_nl_fabric_get(d->ctl->nl, fabric, &now) && !strcmp(inject_word(&now), OWN))
		inject_set(d, fabric, "go");
}

/**
 * torusd_inject_found - resume injection in fabrics where a killed torusd, or `torusctl unit`, has
 * stopped it
 * @d: the agent
 */
void torusd_inject_found(struct torusd *d)
{
	struct torus_nl_fabric *fabrics;
	size_t count, i;

	if (torus_nl_fabric_dump(d->ctl->nl, &fabrics, &count))
		return;
	for (i = 0; i < count; i++)
		if (!strcmp(inject_word(&fabrics[i]), OWN) &&
		    inject_set(d, fabrics[i].name, "go"))
			torusd_log(fabrics[i].name,
				   "injection was still on hold for a change of tables and now "
				   "resumes");
	free(fabrics);
}
