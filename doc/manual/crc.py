#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compute the CRCs of a header and of a packet: crc.py TEXT"""
import sys
import zlib


def crc(bits, polynomial, value, data):
    """Compute a CRC that is not reflected; @value is its initial value."""
    for byte in data:
        value ^= byte << bits - 8
        for _ in range(8):
            carry = value >> bits - 1
            value = (value << 1 ^ polynomial * carry) & (1 << bits) - 1
    return value


text = sys.argv[1].encode()
print(f"CRC-8   {crc(8, 0x07, 0, text):02x}")
print(f"CRC-16  {crc(16, 0x1021, 0xffff, text):04x}")
print(f"CRC-24  {crc(24, 0x864cfb, 0xb704ce, text):06x} or {crc(24, 0x31ff19, 0, text):06x}")
print(f"CRC-32  {zlib.crc32(text):08x}")
