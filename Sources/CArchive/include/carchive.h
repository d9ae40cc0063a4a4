#ifndef CARCHIVE_H
#define CARCHIVE_H

/* libarchive behind opaque handles; all names begin with par_. */

/* The library's version, for instance 3006002. */
int par_version(void);

#endif
