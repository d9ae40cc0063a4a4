import Foundation
import TestSupport
import Testing

/// What `jobs/preheat@.service` allows is enough for the walls around decoders.
@Suite(.timeLimit(.minutes(10))) struct UnitTests {
  private static let filter = BuiltCommand.products.appendingPathComponent("unit-filter")

  /// The words of all lines of a setting.
  private func words(of setting: String) throws -> [String] {
    let unit = Fixtures.checkout.appendingPathComponent("jobs/preheat@.service")
    return try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("\(setting)=") }
      .flatMap { $0.dropFirst(setting.count + 1).split(separator: " ").map(String.init) }
  }

  /// The calls of a set such as `@system-service`, as systemd itself says.
  private func calls(of name: String) throws -> [String] {
    guard name.hasPrefix("@") else { return [name] }
    let result = try Program.run(["systemd-analyze", "syscall-filter", name])
    try #require(result.status == 0, "systemd-analyze is missing")
    return try result.output.split(separator: "\n").dropFirst().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.hasPrefix("#") && $0 != name }.flatMap { try calls(of: $0) }
  }

  private func confinement(_ wrapper: [String]) throws -> String {
    let result = try BuiltCommand.run(["doctor"], wrapper: wrapper)
    return try #require(result.output.split(separator: "\n").first { $0.contains("confinement") }).description
  }

  @Test func decodersAreConfinedUnderTheUnitAsWithoutIt() throws {
    let allowed = try words(of: "SystemCallFilter").flatMap { try calls(of: $0) }
    #expect(allowed.count > 200)
    let namespaces = try words(of: "RestrictNamespaces").joined(separator: ",")
    let wrapper = [Self.filter.path, namespaces] + allowed + ["--"]
    let within = try confinement(wrapper)
    #expect(within == (try confinement([])))
    #expect(within.contains("system-call filter"))
    // The test can fail: the set that services usually have takes a wall away.
    let usual = try calls(of: "@system-service")
    let without = try confinement([Self.filter.path, namespaces] + usual + ["--"])
    #expect(without != within)
  }
}
