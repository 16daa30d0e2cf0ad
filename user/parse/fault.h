/* SPDX-License-Identifier: GPL-2.0 */
/* Parse changes of a link (its state, its sender, injected faults), and the state of a node. */
#ifndef TORUS_PARSE_FAULT_H
#define TORUS_PARSE_FAULT_H

#include <stdint.h>

#include "parse.h"

const char *parse_sender_name(uint32_t sender);
const char *parse_node_state_name(uint32_t state);
bool parse_node_state(const char *word, uint32_t *state, struct parse_error *why);
bool parse_fault(struct parse_fault *fault, const char *key, const char *word,
		 struct parse_error *why);
bool parse_fault_any(const struct parse_fault *fault);

#endif
