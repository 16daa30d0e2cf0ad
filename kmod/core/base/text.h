/* SPDX-License-Identifier: GPL-2.0 */
/* Words within a refusal, which is one line. */
#ifndef TORUS_CORE_TEXT_H
#define TORUS_CORE_TEXT_H

#include "core/env.h"

/* Bytes of a user's word that a refusal repeats. */
#define TORUS_TEXT_WORD	33

const char *torus_text_word(const char *word, char *buf);
void torus_text_list_add(char *buf, size_t size, const char *word);

#endif
