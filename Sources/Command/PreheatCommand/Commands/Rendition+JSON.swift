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
      "source": .string(URLRedaction.redacted(source)), "chain": .string(chain), "scale": .number(scale),
      "client": .string(client.description), "key": .string(text(key)), "file": .optional(fileName),
      "stores": .array(
        stores.map { store in
          .object([
            "key": .string(text(store.key)), "file": .string(store.fileName),
            "content": .string(store.content.rawValue),
          ])
        }), "note": .optional(note),
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
    var object: JSONObject = [
      "v": .integer(1), "type": .string("skipped"), "job": .string(job), "line": .integer(diagnostic.line),
      "column": .integer(diagnostic.column), "text": .string(URLRedaction.redacted(diagnostic.sourceLine)),
      "status": .string(RenditionRecord.Status.failed.rawValue),
      "error": .object(RunFailure(self).redacted.json),
    ]
    if diagnostic.file != job { object["list"] = .string(diagnostic.file) }
    return object
  }
}

extension Diagnostic {
  var json: JSONObject {
    [
      "v": .integer(1), "type": .string("diagnostic"), "severity": .string(severity.rawValue),
      "file": .string(file),
      "line": .integer(line), "column": .integer(column), "message": .string(message),
      "help": .optional(help),
    ]
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
    [
      "step": .string(step.rawValue), "code": .string(code), "message": .string(message),
      "advice": .optional(advice), "retryable": .bool(isRetryable),
    ]
  }
}

extension RunSummary {
  /// The last object of `run --json`.
  func json(_ caches: [CacheSize]) -> JSONObject {
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
