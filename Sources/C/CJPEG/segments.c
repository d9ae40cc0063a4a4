#include <string.h>

#include "internal.h"

/* A segment of a file's header; `at` is its first byte behind the length. */
typedef struct {
  int marker;
  const unsigned char *at;
  size_t count;
} segment;

/* Takes the segment at `*offset`. 0 at the start of the picture's data, 1 for a segment, -1 for anything out of order:
 * bytes in between, a marker that has no segment, an end. */
static int next(const unsigned char *file, size_t count, size_t *offset, segment *out) {
  size_t length;
  if (count - *offset < 4 || file[*offset] != 0xFF) return -1;
  out->marker = file[*offset + 1];
  if (out->marker < 0xC0 || (out->marker >= 0xD0 && out->marker <= 0xD9) || out->marker == 0xFF) return -1;
  length = (size_t)file[*offset + 2] << 8 | file[*offset + 3];
  if (length < 2 || length > count - *offset - 2) return -1;
  out->at = file + *offset + 4;
  out->count = length - 2;
  *offset += length + 2;
  return out->marker != 0xDA;
}

static int begins(const segment *part, const char *text, size_t count) {
  return part->count >= count && !memcmp(part->at, text, count);
}

/* A piece of a colour profile has its number and the number of all behind its name. */
static const size_t piece_head = 14;

static int is_piece(const segment *part) { return part->marker == 0xE2 && begins(part, "ICC_PROFILE", 12); }

/* Pieces have to come in order; `*seen` counts them. */
static int take_piece(const segment *part, int *seen, int *all) {
  if (part->count <= piece_head || part->at[12] != *seen + 1) return -1;
  if (*seen > 0 && part->at[13] != *all) return -1;
  *all = part->at[13];
  *seen += 1;
  return 0;
}

int pj_scan(const unsigned char *file, size_t count, pj_info *info) {
  size_t offset = 2;
  int frames = 0, seen = 0, all = 0, status;
  segment part;

  memset(info, 0, sizeof *info);
  if (count < 4 || file[0] != 0xFF || file[1] != 0xD8) return -1;
  while ((status = next(file, count, &offset, &part)) == 1) {
    switch (part.marker) {
    case 0xC0: case 0xC1: case 0xC2: frames++; break;
    case 0xC4: case 0xDB: case 0xDD: break;
    case 0xE1:
      if (!begins(&part, "Exif", 4)) break;
      if (info->exif_count) return -1;
      info->exif_at = (size_t)(part.at - file);
      info->exif_count = part.count;
      break;
    case 0xE2:
      if (!is_piece(&part)) {
        /* libvips asks for no zero behind the name, and may find a profile here. */
        if (begins(&part, "ICC_PROFILE", 11)) return -1;
        break;
      }
      if (take_piece(&part, &seen, &all)) return -1;
      info->profile_count += part.count - piece_head;
      break;
    default:
      /* Other applications' segments and comments; not arithmetic coding, nor hierarchies. */
      if (part.marker < 0xE0) return -1;
    }
  }
  return status || frames != 1 || seen != all ? -1 : 0;
}

int pj_profile(const unsigned char *file, size_t count, const pj_info *info, unsigned char *profile) {
  size_t offset = 2, left = info->profile_count;
  segment part;

  while (next(file, count, &offset, &part) == 1) {
    size_t size;
    if (!is_piece(&part) || part.count <= piece_head) continue;
    size = part.count - piece_head;
    if (size > left) return -1;
    memcpy(profile, part.at + piece_head, size);
    profile += size;
    left -= size;
  }
  return left ? -1 : 0;
}
