#pragma once

/// Does nothing: a program that links this target starts with its standard streams open, on `/dev/null` where they were
/// closed (`preheat ... >&-`), or ends at once with a message where a limit of the process is too small to work with.
void cstart(void);

/// Ends the program with a message where the system refuses what its tasks cannot do without: threads, queues of events,
/// `/proc`. For the first line of a program, before any task.
void cstart_check(void);
