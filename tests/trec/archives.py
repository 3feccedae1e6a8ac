"""How do tests pack bytes?  By the four kinds of archive that primad unpacks."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Pack = Callable[[bytes], bytes]


def pack_gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def pack_zstd(data: bytes) -> bytes:
    """Pack with a checksum, as the command zstd does."""
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


KINDS: dict[str, Pack] = {"gzip": pack_gzip, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": pack_zstd}
