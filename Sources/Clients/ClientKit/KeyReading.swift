import Syntax
import Text

/// A request as its cache key tells it: the way back from ``KeyClient/baseKey(url:options:stripQuery:)`` and
/// ``ChainForm/suffix``.
package struct KeyReading: Sendable {
  /// What the key begins with: a URL's text, or what the app gave in its place.
  package var base: String
  /// The chain; empty for the original.
  package var calls: [ProcessorCall]
  /// Parts of the key that say nothing to this client: the app's own processors, or another release's words. Each stands as
  /// `custom("...")` in the chain.
  package var unknown: [String]
  private let rows: [ProcessorRow]

  /// - Parameter rows: the client's processors.
  package init(
    base: String, calls: [ProcessorCall] = [], unknown: [String] = [], rows: [ProcessorRow] = []
  ) {
    self.base = base
    self.calls = calls
    self.unknown = unknown
    self.rows = rows
  }

  /// The chain's members as a job spells them; none for the original.
  package var members: [String] { calls.map(rows.text) }

  /// The chain as a job spells it.
  package var chain: String { calls.isEmpty ? "original" : rows.text(calls) }
}

/// A setting of a job that keys give away.
package struct SettingProposal: Hashable, Sendable {
  package var name: String
  package var value: String
  /// Why, in words.
  package var reason: String

  package init(name: String, value: String, reason: String) {
    self.name = name
    self.value = value
    self.reason = reason
  }
}
