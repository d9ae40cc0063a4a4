extension RenditionTask {
  /// - Parameter sourceBytes: Bytes of the source, where it was at hand.
  func outcome(_ status: RenditionOutcome.Status, sourceBytes: Int? = nil) -> RenditionOutcome {
    RenditionOutcome(rendition: rendition, status: status, sourceBytes: sourceBytes)
  }
}
