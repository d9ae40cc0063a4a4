#ifndef PREHEAT_CVIPS_H
#define PREHEAT_CVIPS_H
#endif
