#pragma once

/// Does nothing: a program that links this target starts with its standard streams open, on `/dev/null` where they were
/// closed (`preheat ... >&-`).
void cstart(void);
