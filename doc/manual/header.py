#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Make the hardware header of a Blue Gene/L packet: header.py CHUNKS VC X Y Z"""
import struct
import sys

chunks, vc, x, y, z = map(int, sys.argv[1:])
# Bit 0 is the most significant: a field that ends with bit n of a word is shifted by 31 - n.
word0 = chunks - 1 << 31 - 18 | vc << 31 - 23 | x
word1 = y << 31 - 7 | z << 31 - 15
print(struct.pack(">II", word0, word1).hex(" "))
