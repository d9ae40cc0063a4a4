extension RenditionTask {
  func outcome(_ status: RenditionOutcome.Status) -> RenditionOutcome {
    RenditionOutcome(rendition: rendition, status: status)
  }
}
