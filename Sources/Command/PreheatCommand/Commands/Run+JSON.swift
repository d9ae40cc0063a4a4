import Planning
import Text

extension RenditionOutcome {
  package var json: JSONObject {
    var object = rendition.json(showsSecrets: false)
    object["status"] = .string(status.word)
    switch status {
    case .made(let bytes, let note):
      object["bytes"] = .integer(bytes)
      object["note"] = .optional(note ?? rendition.note)
    case .current: break
    case .notStored(let reason): object["note"] = .string(reason)
    case .failed(let failure): object["error"] = .object(failure.json)
    }
    return object
  }
}

extension RenditionOutcome.Status {
  /// The status as reports spell it.
  package var word: String {
    switch self {
    case .made: "made"
    case .current: "current"
    case .notStored: "notStored"
    case .failed: "failed"
    }
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

extension RunReport {
  package func json(exit: ExitCode) -> JSONObject {
    [
      "v": .integer(1), "type": .string("summary"), "planned": .integer(planned), "made": .integer(made),
      "current": .integer(current), "notStored": .integer(notStored), "failed": .integer(failed),
      "retryable": .integer(retryable), "sourcesFetched": .integer(sourcesFetched),
      "bytesFetched": .integer(bytesFetched), "sourcesValidated": .integer(sourcesValidated),
      "sourcesCached": .integer(sourcesCached), "filesWritten": .integer(filesWritten),
      "bytesWritten": .integer(bytesWritten), "seconds": .number(duration),
      "interrupted": .bool(isInterrupted), "stopped": .optional(storeFailure?.code.rawValue),
      "exit": .integer(Int(exit.rawValue)),
      "caches": .array(
        caches.map { cache in
          .object([
            "cache": .string(cache.cache), "files": .integer(cache.files), "bytes": .integer(cache.bytes),
            "allocatedBytes": .integer(cache.allocatedBytes), "sizeLimit": .integer(cache.sizeLimit),
          ])
        }),
    ]
  }
}
