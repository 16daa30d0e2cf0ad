# SPDX-License-Identifier: GPL-2.0

source (status dirname)/torusctl.fish
