import Planning
import Text

extension RenditionRecord {
  /// The object that `plan --json` prints, with what became of the rendition.
  package func json(of rendition: PlannedRendition) -> JSONObject {
    var object = rendition.json(showsSecrets: false)
    object["note"] = .optional(note)
    object["status"] = .string(status.rawValue)
    if let bytes { object["bytes"] = .integer(bytes) }
    if let failure { object["error"] = .object(failure.json) }
    return object
  }
}

extension RunFailure {
  package var json: JSONObject {
    [
      "step": .string(step.rawValue), "code": .string(code), "message": .string(message),
      "advice": .optional(advice), "retryable": .bool(isRetryable),
    ]
  }
}

extension RunSummary {
  /// The last object of `run --json`.
  package func json(_ caches: [CacheSize]) -> JSONObject {
    [
      "v": .integer(1), "type": .string("summary"), "planned": .integer(counts.planned),
      "made": .integer(counts.made), "current": .integer(counts.current),
      "notStored": .integer(counts.notStored), "failed": .integer(counts.failed),
      "skippedLines": .integer(counts.skippedLines),
      "foundInPart": .integer(counts.foundInPart), "notFound": .integer(counts.notFound),
      "retryable": .integer(counts.retryable), "sourcesFetched": .integer(counts.sourcesFetched),
      "bytesFetched": .integer(counts.bytesFetched), "sourcesValidated": .integer(counts.sourcesValidated),
      "sourcesCached": .integer(counts.sourcesCached), "filesWritten": .integer(counts.filesWritten),
      "bytesWritten": .integer(counts.bytesWritten), "seconds": .number(seconds),
      "interrupted": .bool(isInterrupted), "stopped": .optional(stoppedCode), "exit": .integer(exit),
      "caches": .array(
        caches.map { cache in
          .object([
            "cache": .string(cache.path), "files": .integer(cache.files), "bytes": .integer(cache.bytes),
            "allocatedBytes": .integer(cache.allocatedBytes), "sizeLimit": .integer(cache.sizeLimit),
          ])
        }),
    ]
  }
}
