#include <stdlib.h>

#include "internal.h"

struct pcurl_url {
  CURLU *url;
  char *part;
};

pcurl_url *pcurl_url_parse(const char *text, const char **reason) {
  pcurl_prepare();
  *reason = "out of memory";
  pcurl_url *url = calloc(1, sizeof *url);
  if (!url) return NULL;
  url->url = curl_url();
  if (url->url) {
    unsigned int flags = CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_PATH_AS_IS;
    CURLUcode code = curl_url_set(url->url, CURLUPART_URL, text, flags);
    if (code == CURLUE_OK) return url;
    *reason = curl_url_strerror(code);
  }
  pcurl_url_free(url);
  return NULL;
}

void pcurl_url_free(pcurl_url *url) {
  if (!url) return;
  curl_free(url->part);
  curl_url_cleanup(url->url);
  free(url);
}

const char *pcurl_url_part(pcurl_url *url, enum pcurl_part part) {
  CURLUPart which = CURLUPART_URL;
  unsigned int flags = 0;
  switch (part) {
    case PCURL_SCHEME:
      which = CURLUPART_SCHEME;
      break;
    case PCURL_HOST:
      which = CURLUPART_HOST;
      break;
    case PCURL_PORT:
      which = CURLUPART_PORT;
      flags = CURLU_DEFAULT_PORT;
      break;
    case PCURL_USER:
      which = CURLUPART_USER;
      flags = CURLU_URLDECODE;
      break;
    case PCURL_PASSWORD:
      which = CURLUPART_PASSWORD;
      flags = CURLU_URLDECODE;
      break;
    case PCURL_WHOLE:
      curl_url_set(url->url, CURLUPART_USER, NULL, 0);
      curl_url_set(url->url, CURLUPART_PASSWORD, NULL, 0);
      curl_url_set(url->url, CURLUPART_OPTIONS, NULL, 0);
      curl_url_set(url->url, CURLUPART_FRAGMENT, NULL, 0);
      break;
  }
  curl_free(url->part);
  url->part = NULL;
  curl_url_get(url->url, which, &url->part, flags);
  return url->part;
}
