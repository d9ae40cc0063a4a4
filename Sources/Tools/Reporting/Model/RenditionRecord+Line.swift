import Planning
import Syntax
import Text

/// The line of a record, with the members that `Codable` reads, sorted by their names, the type last; a `JSONEncoder` takes
/// longer for one than a second run does.
struct RenditionRecordLine: JSONRecord {
  let rendition: RenditionRecord

  static let json = JSONMembers<Self>(
    ("bytes?", \.rendition.bytes), ("cache", \.rendition.cache), ("chain", \.rendition.chain),
    ("failure?", \.failure), ("file", \.rendition.file), ("fileName?", \.rendition.fileName),
    ("found?", \.rendition.found?.rawValue), ("job", \.rendition.job), ("key", \.rendition.key),
    ("line", \.rendition.line), ("note?", \.rendition.note), ("scale?", \.rendition.scale),
    ("size?", \.rendition.size), ("source", \.rendition.source), ("sourceBytes?", \.rendition.sourceBytes),
    ("status", \.rendition.status.rawValue), ("type", \.type))

  private var failure: Failure? { rendition.failure.map { Failure(failure: $0) } }
  private var type: String { "rendition" }

  private struct Failure: JSONRecord {
    let failure: RunFailure

    static let json = JSONMembers<Self>(
      ("advice?", \.failure.advice), ("cause?", \.failure.cause), ("code", \.failure.code),
      ("isRetryable", \.failure.isRetryable), ("message", \.failure.message),
      ("step", \.failure.step.rawValue))
  }
}
