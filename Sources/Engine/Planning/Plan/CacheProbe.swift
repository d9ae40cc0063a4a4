import Foundation
import NukeCache

/// What an app's lookup of one request finds in a cache folder: the keys that it asks for, in order.
package struct CacheProbe: Sendable, Hashable {
  package var rendition: PlannedRendition
  package var steps: [Step]
  package var outcome: LookupOutcome
  /// In words: why it is a hit or a miss.
  package var reason: String

  package init(rendition: PlannedRendition, steps: [Step], outcome: LookupOutcome, reason: String) {
    self.rendition = rendition
    self.steps = steps
    self.outcome = outcome
    self.reason = reason
  }

  /// One key that the client asks its disk cache for.
  package struct Step: Sendable, Hashable {
    package var key: String
    package var fileName: String
    package var part: KeyPart
    package var state: State

    package init(key: String, fileName: String, part: KeyPart, state: State) {
      self.key = key
      self.fileName = fileName
      self.part = part
      self.state = state
    }
  }

  package enum State: String, Sendable, Hashable {
    case absent
    case present
    /// No bytes: the client takes it for a hit and cannot decode it.
    case empty
    /// Something that is no file; no client can read it.
    case unreadable
    /// Its modification date has passed, which is when Kingfisher's entries expire.
    case expired
  }
}

extension CacheProbe {
  /// What a lookup came upon, for the client's layout to judge.
  package struct Lookup {
    package var variant: ChainVariant
    /// The client's lookups in their order.
    package var steps: [Step]
    /// The original's file, whether the client looks at it or not.
    package var original: State?
    /// The entry of the same request built in the client's other way (Kingfisher's leading `|>`).
    package var otherStyle: State?

    package init(variant: ChainVariant, steps: [Step], original: State? = nil, otherStyle: State? = nil) {
      self.variant = variant
      self.steps = steps
      self.original = original
      self.otherStyle = otherStyle
    }
  }
}
