#pragma once

/// Does nothing: a program that links this target starts with its standard streams open, on `/dev/null` where they were
/// closed (`preheat ... >&-`), or ends at once with a message where a limit of the process is too small to work with.
void cstart(void);

/// Ends the program with a message where there is no `/proc`. Before its arguments are read.
void cstart_check_proc(void);

/// Ends the program with a message where the system refuses what its tasks cannot do without: threads, queues of events.
/// Before any task that waits; from then on a task has to call `cstart_extend` every few seconds.
void cstart_check(void);

/// Tasks run: the program has ten more seconds until it looks whether it still gets threads.
void cstart_extend(void);
