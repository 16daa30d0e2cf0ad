/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the faults of a link. */
#ifndef TORUS_WORDS_FAULT_H
#define TORUS_WORDS_FAULT_H

#include "words.h"

const char *word_sender_name(__u32 sender);
const char *word_node_state_name(__u32 state);
bool word_node_state(const char *word, __u32 *state, struct word_why *why);
bool word_fault(struct word_fault *fault, const char *key, const char *word,
		struct word_why *why);
bool word_fault_any(const struct word_fault *fault);

#endif
