import Pictures
import Planning
import Rendering

/// A source with all that was made of it in one pass.
struct MadeSource: Sendable {
  package var work: SourceWork
  package var body: SourceBody
  package var results: RenderedOutputs
  /// Nil where no original has to prove itself by its structure.
  package var proof: OriginalProof?

  /// The bytes as they came.
  ///
  /// - Parameter index: of the result that proves by decoding that they are whole; nil where their structure
  ///   is proof enough.
  package func original(at index: Int?) throws(RenderFailure) -> [UInt8] {
    if let index { return try results.bytes(at: index, source: body.bytes) }
    try proof?.check()
    return body.bytes
  }

  package func encoded(at index: Int?) throws(RenderFailure) -> [UInt8] {
    try results.bytes(at: index ?? -1, source: body.bytes)
  }
}
