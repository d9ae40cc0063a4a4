/// How `preheat` ends: the same numbers for every command, for scripts to act on.
enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case success = 0
  case unexpected = 1
  case usage = 2
  case someFailed = 3
  case noneSucceeded = 4
  case retryable = 5
  case damaged = 6
  case different = 7
  case limit = 8
  case notWritable = 9
  case missed = 10
  case locked = 11
  case interrupted = 130
  case terminated = 143

  /// The meaning of the number, for help and documentation.
  var meaning: String {
    switch self {
    case .success: "everything was done"
    case .unexpected: "an unexpected error"
    case .usage: "the command line or a job has errors; nothing was started"
    case .someFailed:
      "some renditions failed, the others are in the cache; init: some keys could not be read"
    case .noneSucceeded: "no rendition succeeded"
    case .retryable: "all failures are temporary; try again later"
    case .damaged: "verify found damaged files; bundle: files are damaged or missing"
    case .different: "diff: the two caches or bundles differ"
    case .limit:
      "bundle: the entries exceed --max-size or --size-limit; run: prune would remove more than --prune-most, or a job "
        + "that prunes names no source"
    case .notWritable: "the disk is full, or a file or folder cannot be read or written"
    case .missed: "key --in: the app would not find the entry; replay: the hit rate is too low"
    case .locked: "another run holds the cache's lock"
    case .interrupted: "interrupted (SIGINT); run again to resume"
    case .terminated: "ended by SIGTERM or SIGHUP; run again to resume"
    }
  }
}
