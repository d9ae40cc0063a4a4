/// What a run is told about recording itself.
public struct RecordingArguments: Sendable, Hashable {
  /// Path of the signpost log.
  public var log: String?
  /// Path of the trace.
  public var trace: String?
  /// Also write what is private.
  public var showsPrivate: Bool

  init(_ values: OptionValues) {
    log = values.text("signposts")
    trace = values.text("trace")
    showsPrivate = values.flag("show-private")
  }
}
