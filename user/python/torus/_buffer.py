# SPDX-License-Identifier: GPL-2.0
"""Objects with bytes in them, as addresses."""

import ctypes


class Readable:
    """The bytes of any object that has some; text is refused, it has an encoding first."""

    def __init__(self, data):
        if isinstance(data, str):
            raise TypeError("text has no bytes until it is encoded: data.encode()")
        view = memoryview(data)
        self.length = view.nbytes
        if not view.c_contiguous or view.readonly:
            # A copy in one piece; of bytes it is the bytes themselves.
            self._keep = data if isinstance(data, bytes) else view.tobytes()
            self.address = ctypes.cast(ctypes.c_char_p(self._keep), ctypes.c_void_p)
        else:
            self._keep = Writable(data)
            self.address = self._keep.address


class Writable:
    """The bytes of an object that can be written to, like bytearray or an array."""

    def __init__(self, data):
        view = memoryview(data)
        if view.readonly:
            raise TypeError(f"{type(data).__name__} cannot be written to: "
                            "a bytearray or an array is wanted")
        if not view.c_contiguous:
            raise TypeError("the buffer is not in one piece")
        self.length = view.nbytes
        self.address = None
        if self.length:
            self._keep = (ctypes.c_char * self.length).from_buffer(view.cast("B"))
            self.address = ctypes.cast(self._keep, ctypes.c_void_p)
