"""Writes the EXIF segment of a JPEG: orientation, date, and a thumbnail in IFD1, as a camera does.

Exif 2.32 (CIPA DC-008-2019) for the tags, TIFF 6.0 section 2 for directories and entries. Little-endian.
"""

import io
import struct

ASCII, SHORT, LONG, RATIONAL, UNDEFINED = 2, 3, 4, 5, 7
UNIT = {ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8, UNDEFINED: 1}

# Which turn makes an upright picture into the stored one; the reader undoes it. Numbers of Pillow's Image.Transpose:
# 0 and 1 mirror, 2 to 4 turn by a quarter, a half and three quarters against the clock, 5 and 6 do both.
STORED = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}


def stored(picture, orientation):
    """`picture` as a camera held that way stores it."""
    return picture if orientation == 1 else picture.transpose(STORED[orientation])


def segment(orientation, size, thumbnail=None):
    """The payload of APP1, from "Exif" on. `size` is that of the stored pixels, `thumbnail` a small stored picture."""
    date = "2025:06:21 05:30:00"
    main = [
        (0x010F, ASCII, "Preheat"),
        (0x0110, ASCII, "Sample painter"),
        (0x0112, SHORT, orientation),
        (0x011A, RATIONAL, (72, 1)),
        (0x011B, RATIONAL, (72, 1)),
        (0x0128, SHORT, 2),
        (0x0132, ASCII, date),
        (0x8769, LONG, 0),  # Where the second directory lies; filled in below.
    ]
    camera = [
        (0x9000, UNDEFINED, b"0232"),
        (0x9003, ASCII, date),
        (0xA001, SHORT, 1),
        (0xA002, LONG, size[0]),
        (0xA003, LONG, size[1]),
    ]
    first = 8
    second = first + length(main)
    third = second + length(camera)
    main[-1] = (0x8769, LONG, second)
    if thumbnail is None:
        return b"Exif\0\0" + header(first) + directory(main, first, 0) + directory(camera, second, 0)
    jpeg = io.BytesIO()
    thumbnail.save(jpeg, "JPEG", quality=80, subsampling=2)
    small = [
        (0x0103, SHORT, 6),
        (0x011A, RATIONAL, (72, 1)),
        (0x011B, RATIONAL, (72, 1)),
        (0x0128, SHORT, 2),
        (0x0201, LONG, 0),
        (0x0202, LONG, len(jpeg.getvalue())),
    ]
    small[4] = (0x0201, LONG, third + length(small))
    return (
        b"Exif\0\0" + header(first) + directory(main, first, third) + directory(camera, second, 0)
        + directory(small, third, 0) + jpeg.getvalue()
    )  # fmt: skip


def header(first):
    return b"II" + struct.pack("<HI", 42, first)


def encoded(kind, value):
    """The bytes of a value, and how many units they are."""
    if kind == ASCII:
        data = value.encode("ascii") + b"\0"
    elif kind == UNDEFINED:
        data = value
    elif kind == RATIONAL:
        data = struct.pack("<II", *value)
    else:
        data = struct.pack("<H" if kind == SHORT else "<I", value)
    return data, len(data) // UNIT[kind]


def padded(data):
    """TIFF values begin at even offsets."""
    return data + b"\0" * (len(data) % 2)


def length(entries):
    """The size of a directory with the values that do not fit into its entries."""
    values = (encoded(kind, value)[0] for _, kind, value in entries)
    return 2 + 12 * len(entries) + 4 + sum(len(padded(v)) for v in values if len(v) > 4)


def directory(entries, offset, following):
    """One image file directory at `offset`; `following` is where the next one lies, or 0."""
    table, values = struct.pack("<H", len(entries)), b""
    start = offset + 2 + 12 * len(entries) + 4
    for tag, kind, value in entries:
        data, count = encoded(kind, value)
        table += struct.pack("<HHI", tag, kind, count)
        if len(data) <= 4:
            table += data.ljust(4, b"\0")
        else:
            table += struct.pack("<I", start + len(values))
            values += padded(data)
    return table + struct.pack("<I", following) + values
