/// How one rendition ended.
public struct RenditionOutcome: Sendable {
  public var rendition: PlannedRendition
  public var status: Status
  /// Bytes of the source, where it was at hand.
  public var sourceBytes: Int?

  public enum Status: Sendable {
    /// Fetched, rendered and stored in this run.
    case made(bytes: Int, note: String?)
    /// What an earlier run made is still right.
    case current
    /// The client stores nothing for this request under the job's policy, so nothing was made.
    case notStored(reason: String)
    case failed(RunFailure)
  }

  public init(rendition: PlannedRendition, status: Status, sourceBytes: Int? = nil) {
    self.rendition = rendition
    self.status = status
    self.sourceBytes = sourceBytes
  }
}
