# SPDX-License-Identifier: GPL-2.0
#
# Tools, flags and libraries.

OBJCOPY ?= objcopy
MPICC ?= mpicc
PYTHON ?= /usr/bin/python3

# Of the packages, of both libraries and of all programs.
VERSION := $(file <VERSION)

# WERROR=0 permits warnings, for example those of a newer compiler.
WERROR ?= 1
# V=1 shows the commands.
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '  %-7s %s\n' $(1) $(2))
comma := ,

WARN := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror) -Wno-unused-parameter
INCLUDE := -Ikmod -Iinclude -Iinclude/uapi
BASE_FLAGS := -g -std=gnu11 $(WARN) $(INCLUDE) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -MMD -MP
# A 32-bit x86 without SSE2 rounds a double twice, so sums would differ between processors.
BASE_FLAGS += $(if $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null | grep -w __i386__),\
	-msse2 -mfpmath=sse)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
MODULE_FLAGS := W=1 $(if $(filter 1,$(WERROR)),KCFLAGS=-Werror)

# Flags that a distribution adds for programs and libraries.
PACKAGE_CFLAGS ?=
PACKAGE_LDFLAGS ?=

# once NAME,COMMAND: run a command when the variable is first used: `make help' and `make check'
# must work before anything is installed.
once = $(eval $(1) := $(shell $(2) 2>/dev/null))$($(1))
JSON_CFLAGS = $(call once,JSON_CFLAGS,pkg-config --cflags json-c)
JSON_LIBS = $(call once,JSON_LIBS,pkg-config --libs json-c)
NL_CFLAGS = $(call once,NL_CFLAGS,pkg-config --cflags libnl-genl-3.0)
NL_LIBS = $(call once,NL_LIBS,pkg-config --libs libnl-genl-3.0)
# Libraries of libtorus.
LIB_LIBS := -lz

# As the kernel compiles the core: no vector registers, thunks. For make bench. Where the
# processor needs no thunk the kernel patches each jump to the return thunk into a return;
# thunk.c has a return there, so that the core pays for the jump at most.
KERNEL_LIKE := -mgeneral-regs-only -mindirect-branch=thunk -mfunction-return=thunk-extern \
	-fno-jump-tables -fno-strict-aliasing -fno-common -fno-delete-null-pointer-checks

# The library is compiled as a whole, where the compiler can write an ordinary object in the end:
# a packet passes through a dozen files of small functions.  Functions of three times the usual
# size are inlined.
WHOLE = $(eval WHOLE := $(shell echo 'int x;' | $(CC) -flto -r -flinker-output=nolto-rel -x c \
	-o /dev/null - 2>/dev/null && echo -flto --param max-inline-insns-auto=45))$(WHOLE)
WHOLE_FLAGS = -O2 -fPIC -pthread -fno-semantic-interposition -ffunction-sections -fno-plt
