import Testing

@testable import PreheatCommand

/// A failed test names the command in place of printing its whole row.
extension CommandSpec: CustomTestStringConvertible {
  public var testDescription: String { name }
}
