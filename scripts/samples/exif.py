"""Writes the EXIF segment of a JPEG: orientation, date, and a thumbnail in IFD1, as a camera does.

Exif 2.32 (CIPA DC-008-2019) for the tags; Pillow writes the directories, but knows no IFD1.
"""

import io

from PIL.TiffImagePlugin import ImageFileDirectory_v2

DATE = "2025:06:21 05:30:00"
RESOLUTION = {0x011A: 72.0, 0x011B: 72.0, 0x0128: 2}
HEADER = b"II*\0\x08\0\0\0"

# Which turn makes an upright picture into the stored one; the reader undoes it. Numbers of Pillow's Image.Transpose:
# 0 and 1 mirror, 2 to 4 turn by a quarter, a half and three quarters against the clock, 5 and 6 do both.
STORED = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}


def stored(picture, orientation):
    """`picture` as a camera held that way stores it."""
    return picture if orientation == 1 else picture.transpose(STORED[orientation])


def directory(tags, offset):
    """One image file directory at `offset`, with those inside it."""
    entries = ImageFileDirectory_v2(HEADER)
    entries.update(tags)
    return entries.tobytes(offset)


def segment(orientation, size, thumbnail=None):
    """The payload of APP1, from "Exif" on. `size` is that of the stored pixels, `thumbnail` a small stored picture."""
    camera = {0x9000: b"0232", 0x9003: DATE, 0xA001: 1, 0xA002: size[0], 0xA003: size[1]}
    about = {0x010F: "Preheat", 0x0110: "make-samples", 0x0112: orientation, 0x0132: DATE, 0x8769: camera}
    main = directory(RESOLUTION | about, len(HEADER))
    if thumbnail is None:
        return b"Exif\0\0" + HEADER + main
    jpeg = io.BytesIO()
    thumbnail.save(jpeg, "JPEG", quality=80, subsampling=2)
    following = len(HEADER) + len(main)
    small = RESOLUTION | {0x0103: 6, 0x0201: 0, 0x0202: len(jpeg.getvalue())}
    small[0x0201] = following + len(directory(small, following))
    # A directory ends with the offset of the next one, which Pillow leaves at 0.
    link = 2 + 12 * int.from_bytes(main[:2], "little")
    main = main[:link] + following.to_bytes(4, "little") + main[link + 4 :]
    return b"Exif\0\0" + HEADER + main + directory(small, following) + jpeg.getvalue()
