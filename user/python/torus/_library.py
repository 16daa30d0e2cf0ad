# SPDX-License-Identifier: GPL-2.0
"""libtorus as ctypes sees it: structs, prototypes, errors."""

import ctypes
import errno
import os

NAME_MAX = 32
DIMS_MAX = 10

U32 = ctypes.c_uint32
U64 = ctypes.c_uint64
S64 = ctypes.c_int64
Handle = ctypes.c_void_p


class Numbering(ctypes.Structure):
    """struct torus_numbering"""
    _fields_ = [("last", U32), ("reserved", U32), ("split", U32 * DIMS_MAX),
                ("stride", U32 * DIMS_MAX), ("jump", U32 * DIMS_MAX)]


class Info(ctypes.Structure):
    """struct torus_ioc_info, as far as a program asks for it"""
    _fields_ = [("abi_version", U32), ("ndims", U32), ("features", U64),
                ("fabric", ctypes.c_char * NAME_MAX), ("arch", ctypes.c_char * 16),
                ("dims", U32 * DIMS_MAX), ("mesh", U32), ("coords", U32 * DIMS_MAX),
                ("nodes", U32), ("node", U32), ("group", U32), ("groups", U32),
                ("generation", U32), ("chunk_bytes", U32), ("packet_chunks_max", U32),
                ("header_bytes", U32), ("inject_fifos", U32), ("inject_priority", U32),
                ("receive_fifos", U32), ("receive_priority", U32), ("inject_chunks", U32),
                ("receive_chunks", U32), ("fifo_chunks", U32), ("page_bytes", U32),
                ("reserved0", U32), ("tick_fs", U64)]


class FabricInfo(ctypes.Structure):
    """struct torus_fabric_info"""
    _fields_ = [("name", ctypes.c_char * NAME_MAX), ("arch", ctypes.c_char * 16),
                ("ndims", U32), ("dims", U32 * DIMS_MAX), ("mesh", U32), ("nodes", U32),
                ("numbering", Numbering)]


class AttachConfig(ctypes.Structure):
    """struct torus_attach_config"""
    _fields_ = [("group", U32), ("inject_chunks", U32), ("receive_chunks", U32),
                ("priority", ctypes.c_bool), ("device", ctypes.c_char_p), ("fd", ctypes.c_int)]


class Member(ctypes.Structure):
    """struct torus_member"""
    _fields_ = [("node", U32), ("group", U32)]


class JobConfig(ctypes.Structure):
    """struct torus_job_config"""
    _fields_ = [("key", U32), ("route", ctypes.c_int), ("members", ctypes.POINTER(Member)),
                ("count", U32), ("length_max", U32), ("memory_max", U64),
                ("timeout_ms", ctypes.c_int), ("unconnected", ctypes.c_bool), ("axes", U32),
                ("view", ctypes.POINTER(U32))]


class JobOptions(ctypes.Structure):
    """struct torus_job_options"""
    _fields_ = [("route", ctypes.c_int), ("timeout_ms", ctypes.c_int), ("length_max", U32),
                ("memory_max", U64), ("unconnected", ctypes.c_bool),
                ("attach", ctypes.POINTER(AttachConfig))]


class MessageInfo(ctypes.Structure):
    """struct torus_message_info"""
    _fields_ = [("source", U32), ("tag", U32), ("length", U32)]


class AlltoallConfig(ctypes.Structure):
    """struct torus_alltoall_config"""
    _fields_ = [("order", ctypes.c_int), ("pacing", U32)]


class Error(OSError):
    """A call of libtorus failed: errno, and why in words (torus_error_text)."""


class TimeOut(Error, TimeoutError):
    """The time was over."""


class WouldBlock(TimeOut, BlockingIOError):
    """A time limit of 0, and the call would have to wait (EAGAIN)."""


class Damaged(Error):
    """A message was damaged or lost on its way (EBADMSG)."""


_KINDS = {errno.EAGAIN: WouldBlock, errno.ETIMEDOUT: TimeOut, errno.EBADMSG: Damaged}

_POINTER = ctypes.c_void_p
_INT = ctypes.c_int
_PROTOTYPES = {
    "torus_error_text": (ctypes.c_char_p,),
    "torus_fabric_find": (_INT, ctypes.c_char_p, ctypes.POINTER(FabricInfo)),
    "torus_fabric_node": (_INT, ctypes.POINTER(FabricInfo), ctypes.c_char_p,
                          ctypes.POINTER(U32)),
    "torus_context_attach_at": (_INT, ctypes.POINTER(Handle), ctypes.c_char_p, ctypes.c_char_p,
                                ctypes.POINTER(AttachConfig)),
    "torus_context_detach": (None, Handle),
    "torus_context_info": (ctypes.POINTER(Info), Handle),
    "torus_context_fd": (_INT, Handle),
    "torus_context_check": (_INT, Handle),
    "torus_context_clock": (U64, Handle),
    "torus_compute": (_INT, Handle, U64),
    "torus_node_locate": (_INT, Handle, ctypes.POINTER(U32), ctypes.POINTER(U32)),
    "torus_node_coords": (_INT, Handle, U32, ctypes.POINTER(U32)),
    "torus_packet_begin": (_INT, Handle, _POINTER, ctypes.c_size_t, U32, U32, _INT),
    "torus_inject_packet": (_INT, Handle, _INT, _POINTER, ctypes.c_size_t, _INT),
    "torus_receive_packet": (_INT, Handle, _INT, _POINTER, ctypes.c_size_t, _INT),
    "torus_job_init": (_INT, ctypes.POINTER(Handle), ctypes.POINTER(Handle),
                       ctypes.POINTER(JobOptions)),
    "torus_job_open": (_INT, ctypes.POINTER(Handle), Handle, ctypes.POINTER(JobConfig)),
    "torus_job_close": (None, Handle),
    "torus_job_rank": (U32, Handle),
    "torus_job_size": (U32, Handle),
    "torus_job_rank_at": (U32, Handle, U32),
    "torus_job_progress": (_INT, Handle),
    "torus_job_barrier": (_INT, Handle, _INT),
    "torus_job_split": (_INT, Handle, _INT, _INT, ctypes.POINTER(Handle), _INT),
    "torus_message_send": (_INT, Handle, U32, U32, _POINTER, U32),
    "torus_message_start": (_INT, Handle, U32, U32, _POINTER, U32, ctypes.POINTER(Handle)),
    "torus_message_test": (_INT, Handle, Handle),
    "torus_message_wait": (_INT, Handle, Handle, _INT),
    "torus_message_flush": (_INT, Handle, _INT),
    "torus_message_receive": (_INT, Handle, _INT, S64, _POINTER, U32,
                              ctypes.POINTER(MessageInfo), _INT),
    "torus_message_take": (_INT, Handle, _INT, S64, ctypes.POINTER(_POINTER),
                           ctypes.POINTER(MessageInfo), _INT),
    "torus_message_probe": (_INT, Handle, _INT, S64, ctypes.POINTER(MessageInfo), _INT),
    "torus_broadcast": (_INT, Handle, U32, U32, _POINTER, U32, _INT),
    "torus_alltoall": (_INT, Handle, _POINTER, _POINTER, U32, ctypes.POINTER(AlltoallConfig),
                       _INT),
    "torus_reduce": (_INT, Handle, U32, _INT, _INT, _POINTER, _POINTER, U32, _INT),
    "torus_allreduce": (_INT, Handle, _INT, _INT, _POINTER, _POINTER, U32, _INT),
    "torus_gather": (_INT, Handle, U32, _POINTER, _POINTER, U32, _INT),
    "torus_scatter": (_INT, Handle, U32, _POINTER, _POINTER, U32, _INT),
}


def _load():
    name = os.environ.get("TORUS_LIBRARY", "libtorus.so.0")
    library = ctypes.CDLL(name)
    for function, (result, *arguments) in _PROTOTYPES.items():
        entry = getattr(library, function)
        entry.restype = result
        entry.argtypes = arguments
    return library


library = _load()
_free = ctypes.CDLL(None).free
_free.restype = None
_free.argtypes = [_POINTER]


def free(pointer):
    """free(3)"""
    _free(pointer)


def failure(number):
    """The exception for a negative errno that the library has just returned."""
    text = library.torus_error_text().decode(errors="replace")
    return _KINDS.get(-number, Error)(-number, text or os.strerror(-number))


def check(number):
    """The number, unless it is a negative errno: then the exception."""
    if number < 0:
        raise failure(number)
    return number
