#ifndef PREHEAT_CCURL_H
#define PREHEAT_CCURL_H
#endif
