import Pictures
import Text

/// What is made of a source: processors in their order, or nothing at all (`original`). Only the chain's own client
/// knows what a call means.
package struct Chain: Hashable, Sendable {
  package var calls: [ProcessorCall]

  package init(_ calls: [ProcessorCall] = []) { self.calls = calls }

  /// Nothing is drawn: the source's own bytes.
  package static let original = Chain()
  package var isOriginal: Bool { calls.allSatisfy(\.isOriginal) }
}

/// A chain at a screen scale, resolved by its client. Chains in pixels have one form for all scales.
package struct ChainForm: Sendable, Hashable {
  package var scale: Double
  /// Another scale would be another form: another key, or other pixels under the same key.
  package var dependsOnScale: Bool
  /// What follows the base key in the request's own key.
  package var suffix: KeySuffix
  /// What the client asks its cache for, in order, where the request's options change nothing.
  package var lookups: [KeySuffix]
  package var drawing: Drawing
  /// The same request as it would be built in other ways that apps use, each with what to say where its entry is there: a
  /// sentence without a full stop.
  package var others: [KeySuffix: String]
  /// The client draws and stores it in the source's own colours, not in sRGB.
  package var keepsGamut: Bool
  /// The client turns a JPEG whose orientation stands in XMP alone. What the others do is not known.
  package var turnsByXMP = false

  /// - Parameter drawsInSRGB: the client draws in contexts that are sRGB; what ImageIO makes for it still keeps its colours.
  package init(
    scale: Double, dependsOnScale: Bool, suffix: KeySuffix, lookups: [KeySuffix], drawing: Drawing,
    others: [KeySuffix: String] = [:], drawsInSRGB: Bool = false
  ) {
    self.scale = scale
    self.dependsOnScale = dependsOnScale
    self.suffix = suffix
    self.lookups = lookups
    self.drawing = drawing
    self.others = others
    keepsGamut = drawing.values.allSatisfy {
      !$0.isCoreImage && (!drawsInSRGB || $0 is RenderStep.Thumbnail)
    }
  }

  package enum Drawing: Sendable, Hashable {
    case steps([RenderStep])
    /// The key is known, but nothing can be drawn. `substitute`: what a job may write to have another processor drawn.
    case impossible(reason: String, substitute: String? = nil)

    /// What is drawn, step by step; none where nothing can be.
    package var values: [any DrawingStep] {
      if case .steps(let steps) = self { steps.map(\.value) } else { [] }
    }

    /// Why nothing can be drawn, whatever the source; nil where something can.
    package var obstacle: String? {
      switch self {
      case .impossible(let reason, let substitute): reason + (substitute.map { "; \($0)" } ?? "")
      case .steps: failure
      }
    }

    /// Why the app fails, too, whatever the source; nil where it does not, or where that is not known.
    package var failure: String? {
      if case .steps(let steps) = self { steps.lazy.compactMap(\.obstacle).first } else { nil }
    }
  }
}

/// What a part of a request adds to the base key, and which part of the chain that is. Most clients append it; see
/// ``KeyClient/joinedKey(base:_:)`` for the others.
package struct KeySuffix: Sendable, Hashable {
  /// For people and programs: `U` for the original, `U+T` with the thumbnail, `U+p1+p2` with processors.
  package var part: String
  private let bytes: ByteText

  package var text: String { bytes.text }

  package init(part: String, _ text: String) {
    self.part = part
    bytes = ByteText(text)
  }

  /// What a request's whole chain adds.
  package init(hasThumbnail: Bool = false, processors count: Int, _ text: String) {
    let parts = ["U"] + (hasThumbnail ? ["T"] : []) + (0..<count).map { "p\($0 + 1)" }
    self.init(part: parts.joined(separator: "+"), text)
  }

  /// The key of the source as it came.
  package static let original = KeySuffix(part: "U", "")
}
