#include "cwebp.h"

#include <stdlib.h>
#include <webp/decode.h>
#include <webp/demux.h>

/* The first chunk of a name, where the head of the file announces one. */
static void find(
  const unsigned char *file, WebPDemuxer *parsed, uint32_t flag, const char *name, size_t *at, size_t *count) {
  WebPChunkIterator found;
  *at = *count = 0;
  if (!(WebPDemuxGetI(parsed, WEBP_FF_FORMAT_FLAGS) & flag) || !WebPDemuxGetChunk(parsed, name, 1, &found)) return;
  *at = (size_t)(found.chunk.bytes - file);
  *count = found.chunk.size;
  WebPDemuxReleaseChunkIterator(&found);
}

/* The file's one frame. */
static int look(const unsigned char *file, WebPDemuxer *parsed, const WebPIterator *frame, pw_info *info) {
  uint32_t flags = WebPDemuxGetI(parsed, WEBP_FF_FORMAT_FLAGS);
  int has_alpha = (flags & ALPHA_FLAG) != 0;

  if (flags & ANIMATION_FLAG || frame->num_frames != 1 || !frame->complete || has_alpha != (frame->has_alpha != 0))
    return -1;
  info->width = (int)WebPDemuxGetI(parsed, WEBP_FF_CANVAS_WIDTH);
  info->height = (int)WebPDemuxGetI(parsed, WEBP_FF_CANVAS_HEIGHT);
  if (info->width < 1 || info->height < 1 || frame->width != info->width || frame->height != info->height
      || frame->x_offset || frame->y_offset)
    return -1;
  info->bands = has_alpha ? 4 : 3;
  info->data_at = (size_t)(frame->fragment.bytes - file);
  info->data_count = frame->fragment.size;
  find(file, parsed, EXIF_FLAG, "EXIF", &info->exif_at, &info->exif_count);
  find(file, parsed, ICCP_FLAG, "ICCP", &info->profile_at, &info->profile_count);
  return 0;
}

int pw_read(const unsigned char *file, size_t count, pw_info *info) {
  WebPDemuxer *parsed = WebPDemux(&(WebPData){file, count});
  WebPIterator frame;
  int status = -1;

  if (parsed && WebPDemuxGetFrame(parsed, 1, &frame)) {
    status = look(file, parsed, &frame, info);
    WebPDemuxReleaseIterator(&frame);
  }
  WebPDemuxDelete(parsed);
  return status;
}

int pw_decode(const unsigned char *file, const pw_info *info, pw_take take, void *context) {
  WebPDecoderConfig config;
  /* A side has 14 bits. */
  size_t stride = (size_t)info->width * (size_t)info->bands, size = stride * (size_t)info->height;
  unsigned char *pixels = WebPInitDecoderConfig(&config) ? malloc(size) : NULL;
  int status = -1;

  if (!pixels) return -1;
  config.output.colorspace = info->bands == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){pixels, (int)stride, size};
  if (WebPDecode(file + info->data_at, info->data_count, &config) == VP8_STATUS_OK)
    status = take(context, pixels, stride, info->height) ? -1 : 0;
  WebPFreeDecBuffer(&config.output);
  free(pixels);
  return status;
}
