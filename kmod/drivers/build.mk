# SPDX-License-Identifier: GPL-2.0
#
# Drivers of the bus: the parts that call no function of the kernel have unit tests, which compare
# them with the machines.

TEST_DIRS += kmod/drivers/net/tests
kmod/drivers/net/tests_WITH = kmod/drivers/net/wire $(ENGINE_RIGS) $(ENGINE)
