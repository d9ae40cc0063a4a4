/// What a run is told about recording itself.
package struct RecordingArguments: Sendable, Hashable {
  /// Path of the signpost log.
  package var log: String?
  /// Path of the trace.
  package var trace: String?
  /// Also write what is private.
  package var showsPrivate: Bool

  init(_ values: OptionValues) {
    log = values.text("signposts")
    trace = values.text("trace")
    showsPrivate = values.flag("show-private")
  }
}
