// SPDX-License-Identifier: GPL-2.0
/*
 * Injection held while tables change, and let go.
 *
 * What torusd holds it holds by a word of its own, drain: an administrator's hold, set before
 * or meanwhile, is not its to end, and what a daemon that was killed has left is told from it.
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
 * torusd_inject_hold - let nothing new into a network
 * @d: the agent
 * @fabric: its name
 *
 * Return: whether nothing enters any more.
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
 * torusd_inject_go - end what torusd_inject_hold() has begun, and nothing else
 * @d: the agent
 * @fabric: its name
 */
void torusd_inject_go(struct torusd *d, const char *fabric)
{
	struct torus_nl_fabric now;

	if (!torus_nl_fabric_get(d->ctl->nl, fabric, &now) && !strcmp(inject_word(&now), OWN))
		inject_set(d, fabric, "go");
}

/**
 * torusd_inject_found - end what a daemon that was killed has left
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
			torusd_log(fabrics[i].name, "injection was held for a change of tables: "
				   "it goes on");
	free(fabrics);
}
