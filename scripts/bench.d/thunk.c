// SPDX-License-Identifier: GPL-2.0
/* Where returns of the core go that is compiled as the kernel compiles it: see Makefile. */
__asm__(".text\n"
	".globl __x86_return_thunk\n"
	".type __x86_return_thunk, @function\n"
	"__x86_return_thunk:\n"
	"	ret\n"
	"	int3\n"
	".size __x86_return_thunk, .-__x86_return_thunk\n");
