import Syntax
import Text

/// A request as its cache key tells it: the way back from ``KeyClient/baseKey(url:options:stripQuery:)`` and
/// ``ChainForm/suffix``.
package struct KeyReading: Hashable, Sendable {
  /// What the key begins with: a URL's text, or what the app gave in its place.
  package var base: String
  /// The chain's members as a job spells them; none for the original.
  package var members: [String]
  /// Parts of the key that say nothing to this client: the app's own processors, or another release's words. Each stands as
  /// `custom("...")` among the members.
  package var unknown: [String]

  package init(base: String, members: [String] = [], unknown: [String] = []) {
    self.base = base
    self.members = members
    self.unknown = unknown
  }

  /// - Parameters:
  ///   - calls: the chain's members.
  ///   - rows: the client's processors.
  package init(base: String, calls: [ProcessorCall], unknown: [String] = [], rows: [ProcessorRow]) {
    self.init(base: base, members: calls.map { rows.text($0) }, unknown: unknown)
  }

  /// The chain as a job spells it.
  package var chain: String { members.isEmpty ? "original" : members.joined(separator: " | ") }
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

/// Members of a chain as a job spells them: a name with arguments that may be left out.
package struct MemberSpelling {
  private let name: String
  private var arguments: [String] = []

  package init(_ name: String) { self.name = name }

  package mutating func add(_ label: String, _ value: String) { arguments.append("\(label): \(value)") }

  /// Unless it is the value that holds without it.
  package mutating func add<Value: Equatable>(_ label: String, _ value: Value, unless fallback: Value) {
    if value != fallback { add(label, "\(value)") }
  }

  package var text: String { arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))" }

  /// The app's own processor.
  package static func custom(_ identifier: String) -> String { "custom(\(quoted(identifier)))" }

  package static func quoted(_ text: String) -> String { QuotedText.quoted(text) }

  package static func size(width: Double, height: Double) -> String {
    "\(NumberText.plain(width))x\(NumberText.plain(height))"
  }

  /// A colour: by digits where they say exactly this, else by numbers.
  package static func rgba(_ components: [Double]) -> String {
    let bytes = components.map {
      Int(exactly: ($0 * 255).rounded()).flatMap { (0...255).contains($0) ? $0 : nil }
    }
    let known = bytes.compactMap { $0 }
    guard known.count == 4, zip(known, components).allSatisfy({ Double($0) / 255 == $1 }) else {
      return "rgba(\(components.map(NumberText.plain).joined(separator: ", ")))"
    }
    let digits = known.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    return "#" + digits.prefix(known[3] == 255 ? 3 : 4).joined()
  }
}

/// Lengths in points, found again from pixels.
package enum PointText {
  /// The length in points that makes exactly these pixels on a screen of this scale; nil where nobody would have written
  /// it: it has more than three decimals.
  package static func points(_ pixels: Double, scale: Double, _ pixelsOf: (Double) -> Double) -> Double? {
    let points = pixels / scale
    guard points.isFinite, abs(points) < 1e9 else { return nil }
    for unit in [1.0, 10, 100, 1000] {
      let rounded = (points * unit).rounded() / unit
      if pixelsOf(rounded) == pixels { return rounded }
    }
    return nil
  }
}
