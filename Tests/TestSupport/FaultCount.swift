import Foundation

/// How often the tests of the fault list try something: a little in `make test`, as often as the list demands in
/// `make test-faults`.
///
/// `PREHEAT_FAULTS` is `full`, or a number for that many percent of it.
package enum FaultCount {
  private static let percent: Int = {
    switch ProcessInfo.processInfo.environment["PREHEAT_FAULTS"] {
    case "full": 100
    case let text?: max(0, min(100, Int(text) ?? 0))
    case nil: 0
    }
  }()

  /// Of a test whose numbers grow.
  package static let minutes = percent == 0 ? 10 : 120

  /// - Parameters:
  ///   - few: in an ordinary run of the tests.
  ///   - full: the number of the list.
  package static func of(_ few: Int, full: Int) -> Int { max(few, full * percent / 100) }
}

/// Numbers that are the same in every run of a test.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  /// SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
