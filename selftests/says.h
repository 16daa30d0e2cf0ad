/* SPDX-License-Identifier: GPL-2.0 */
/* Expect values and key words in a message: core/tests/says.h for kselftest_harness.h. */
#ifndef TORUS_SELFTESTS_SAYS_H
#define TORUS_SELFTESTS_SAYS_H

#include "core/tests/says.h"

/* Expect that the message @text contains each of @words. */
#define EXPECT_SAYS(text, words)						\
do {										\
	const char *said_ = (text), *wanted_ = (words);				\
										\
	EXPECT_TRUE(says(said_, wanted_)) {					\
		TH_LOG("\"%s\" must contain \"%s\"", said_, wanted_);		\
	}									\
} while (0)

#endif /* TORUS_SELFTESTS_SAYS_H */
