import JobFile
import Planning
import Syntax
import Text

extension PlannedRendition {
  /// The fields that `plan`, `key` and `run` have in common; docs/json.md says what they mean.
  ///
  /// - Parameter showsSecrets: The key is made from the whole URL. Where it is the answer that was
  ///   asked for it is exact; in reports of a run, credentials in it are blotted out.
  func json(showsSecrets: Bool) -> JSONObject {
    let text = { (url: String) in showsSecrets ? url : URLRedaction.redacted(url) }
    var object: JSONObject = [
      "v": .integer(1), "type": .string("rendition"), "job": .string(job), "line": .integer(line),
      "source": .string(redactedSource), "chain": .string(text(chain)),
      "scale": .number(scale),
      "client": .string(client.description), "key": .string(text(key)), "file": .optional(fileName),
      "stores": .array(
        stores.map { store in
          .object([
            "key": .string(text(store.key)), "file": .string(store.fileName),
            "content": .string(store.content.rawValue),
          ])
        }), "note": .optional(note.map(text)),
    ]
    object["hit"] = .bool(lookup != nil)
    object["exact"] = .bool(lookup?.isExact ?? false)
    object["hitKey"] = .optional((lookup?.key).map(text))
    if file != job { object["list"] = .string(file) }
    return object
  }
}

extension SkippedLine {
  /// - Parameter job: the job's path.
  func json(of job: String) -> JSONObject {
    var object = JSONObject([
      "v": 1, "type": "skipped", "job": job, "line": diagnostic.line, "column": diagnostic.column,
      "text": URLRedaction.redacted(diagnostic.sourceLine), "status": RenditionRecord.Status.failed.rawValue,
      "error": RunFailure(self).redacted.json,
    ])
    if diagnostic.file != job { object["list"] = .string(diagnostic.file) }
    return object
  }
}

extension Diagnostic {
  var json: JSONObject {
    JSONObject([
      "v": 1, "type": "diagnostic", "severity": severity.rawValue, "file": file, "line": line,
      "column": column, "message": message, "help": help,
    ])
  }
}

extension RenditionRecord {
  /// The object that `plan --json` prints, with what became of the rendition.
  func json(of rendition: PlannedRendition) -> JSONObject {
    var object = rendition.json(showsSecrets: false)
    object["note"] = .optional(note)
    object["status"] = .string(status.rawValue)
    if let bytes { object["bytes"] = .integer(bytes) }
    if let failure { object["error"] = .object(failure.json) }
    return object
  }
}

extension RunFailure {
  var json: JSONObject {
    JSONObject([
      "step": step.rawValue, "code": code, "message": message, "advice": advice, "retryable": isRetryable,
    ])
  }
}

extension RunSummary {
  /// The last object of `run --json`.
  func json(_ caches: [CacheSize]) -> JSONObject {
    let sizes = caches.map { cache in
      JSONObject([
        "cache": cache.path, "files": cache.files, "bytes": cache.bytes,
        "allocatedBytes": cache.allocatedBytes, "sizeLimit": cache.sizeLimit,
        "maxSize": cache.maxSize,
      ])
    }
    return JSONObject([
      "v": 1, "type": "summary", "planned": counts.planned, "made": counts.made, "current": counts.current,
      "notStored": counts.notStored, "failed": counts.failed, "skippedLines": counts.skippedLines,
      "foundInPart": counts.foundInPart, "notFound": counts.notFound, "animated": counts.animated ?? 0,
      "retryable": counts.retryable,
      "sourcesFetched": counts.sourcesFetched, "bytesFetched": counts.bytesFetched,
      "sourcesValidated": counts.sourcesValidated, "sourcesCached": counts.sourcesCached,
      "filesWritten": counts.filesWritten, "bytesWritten": counts.bytesWritten, "seconds": self.seconds,
      "interrupted": self.isInterrupted, "stopped": self.stoppedCode, "exit": self.exit,
      "releases": self.releases ?? [], "caches": sizes,
    ])
  }
}
