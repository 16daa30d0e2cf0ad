/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of network interfaces, as JSON and as text. */
#ifndef TORUS_REPORT_TNI_H
#define TORUS_REPORT_TNI_H

#include "report.h"

struct json_object *report_tnis_json(const struct torus_tni_counters *tnis, unsigned int count);

/* Form that prints one line for each interface in the array "tnis" of an object. */
#define REPORT_TNIS \
	"{#tnis}  TNI {tni}: sent {packets_sent} packets {bytes_sent} bytes, received " \
	"{packets_received} packets {bytes_received} bytes, commands {commands} " \
	"notices {notices} waits {waits} errors {errors} refused {refused}\n{/}"

#endif
