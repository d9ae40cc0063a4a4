#ifndef PREHEAT_CEXIF_H
#define PREHEAT_CEXIF_H
#endif
