import CacheCore

extension RenditionTask {
  func outcome(_ status: RenditionOutcome.Status) -> RenditionOutcome {
    RenditionOutcome(rendition: rendition, status: status)
  }
}

extension StagedFile {
  init(
    bytes: [UInt8], store: PlannedRendition.Store, sourceID: String, identity: String, body: SourceBody
  ) {
    self.init(
      bytes: bytes,
      entry: LedgerEntry(
        file: store.fileName, sourceID: sourceID, identity: identity, size: Int64(bytes.count),
        digest: hexadecimal(SHA256.hash(bytes)), modified: 0, etag: body.etag, lastModified: body.lastModified))
  }
}
