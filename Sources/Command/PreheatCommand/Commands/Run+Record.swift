import Planning
import Reporting
import Syntax
import Text

// What a report may know of a run: never a credential. Messages are masked too, though they should hold
// none: they are made from what servers and decoders say.

extension RecordedRendition {
  package init(_ outcome: RenditionOutcome, cache: String) {
    let rendition = outcome.rendition
    // What the app will draw; where the request's own entry is not stored, the one that is.
    let store = rendition.stores.first { $0.content == .encoded } ?? rendition.stores.first
    self.init(
      job: rendition.job, file: rendition.file, line: rendition.line,
      source: RenditionText.shortened(URLRedaction.redacted(rendition.source)),
      chain: URLRedaction.redacted(rendition.chain),
      scale: rendition.dependsOnScale ? rendition.scale : nil, status: Status(outcome.status),
      key: RenditionText.shortened(URLRedaction.redacted(store?.key ?? rendition.key)),
      fileName: store?.fileName ?? rendition.fileName, cache: cache)
    sourceBytes = outcome.sourceBytes
    note = rendition.note.map(URLRedaction.redacted)
    switch outcome.status {
    case .made(let written, let made):
      bytes = written
      note = (made ?? rendition.note).map(URLRedaction.redacted)
    case .current: break
    case .notStored(let reason): note = URLRedaction.redacted(reason)
    case .failed(let failure): self.failure = RecordedFailure(failure)
    }
  }
}

extension RecordedRendition.Status {
  fileprivate init(_ status: RenditionOutcome.Status) {
    switch status {
    case .made: self = .made
    case .current: self = .current
    case .notStored: self = .notStored
    case .failed: self = .failed
    }
  }
}

extension RecordedFailure {
  fileprivate init(_ failure: RunFailure) {
    self.init(
      step: failure.step.rawValue, code: failure.code, message: URLRedaction.redacted(failure.message),
      advice: failure.advice.map(URLRedaction.redacted), isRetryable: failure.isRetryable)
  }
}

extension RecordedFinding {
  package init(_ diagnostic: Diagnostic) {
    self.init(
      isError: diagnostic.severity == .error, file: diagnostic.file, line: diagnostic.line,
      column: diagnostic.column, message: URLRedaction.redacted(diagnostic.message),
      help: diagnostic.help.map(URLRedaction.redacted))
  }
}

extension RecordedCache {
  package init(_ cache: CacheSize) {
    self.init(
      path: cache.cache, client: cache.client.description, files: cache.files, bytes: cache.bytes,
      allocatedBytes: cache.allocatedBytes, sizeLimit: cache.sizeLimit,
      sweep: Sweep(
        countsBlocks: cache.rules.counting == .allocatedBytes, beginsAtLimit: cache.rules.sweepsAtLimit,
        keeps: cache.rules.sweepKeeps))
  }
}
