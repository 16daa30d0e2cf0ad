# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # sourced by vm.sh and its test
#
# The first line of a report that the kernel makes of its own faults, as an extended regular
# expression. A line that only follows such a report is not in the list.
kernel_report='BUG:|BUG [a-z]|kernel BUG|WARNING|Oops|UBSAN|KASAN:|possible|general protection fault'
kernel_report+='|divide error|invalid opcode|double fault|stack segment|list_(add|del) corruption'
kernel_report+='|unable to handle|refcount_t:|ODEBUG:|unreferenced object'
