/* SPDX-License-Identifier: GPL-2.0 */
/* Parse changes of a link (its state, its sender, injected faults), and the state of a node. */
#ifndef TORUS_PARSE_FAULT_H
#define TORUS_PARSE_FAULT_H

#include "parse.h"

const char *parse_sender_name(__u32 sender);
const char *parse_node_state_name(__u32 state);
bool parse_node_state(const char *word, __u32 *state, struct parse_error *why);
bool parse_fault(struct parse_fault *fault, const char *key, const char *word,
		 struct parse_error *why);
bool parse_fault_any(const struct parse_fault *fault);

#endif
