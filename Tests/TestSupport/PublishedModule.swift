import Foundation

/// What a release of a client publishes, made from the tables in `Fixtures/code`: a module for the compiler, in which
/// nothing does anything.
public struct PublishedModule {
  private struct Row {
    let type: String
    let declaration: String
    let note: String
    /// Where it declares a type or extends one.
    let kind: String?
    let name: String
    let conformances: [String]
    /// The name of what a conforming type has to have.
    let member: Substring?

    init(_ cells: [String]) {
      (type, declaration, note) = (cells[1], cells[2], cells[3])
      let head = declaration.firstMatch(
        of: /\b(struct|class|enum|protocol|extension|actor) (\w+)(?:<\w+>)?(?:: (.*))?$/)
      kind = head.map { String($0.1) }
      name = head.map { String($0.2) } ?? ""
      conformances = (head?.3 ?? "").replacing("SwiftUI.", with: "").split(separator: ", ").map(String.init)
      member = declaration.firstMatch(of: /\b(?:func|var|let) ([\w`]+)/)?.1
    }

    var path: String { type.isEmpty ? name : "\(type).\(name)" }

    func isRequirement(of kind: String) -> Bool {
      kind == "protocol" && !declaration.contains("public ") && !declaration.contains(" = ")
    }
  }

  private let rows: [Row]

  /// - Parameter release: three numbers with dots.
  public init(_ client: String, release: String) throws {
    let file = Fixtures.folder.appendingPathComponent("code/\(client).tsv")
    rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 4, Self.holds(cells[0], release) else { return nil }
      return Row(cells)
    }
  }

  /// `10.0.0-10.11.2`, `12.9.0`, `11.0.0 to now`, `all`.
  private static func holds(_ releases: String, _ release: String) -> Bool {
    func number(_ text: Substring) -> [Int] { text.split(separator: ".").compactMap { Int($0) } }
    let wanted = number(release[...])
    return releases == "all"
      || releases.split(separator: ", ").contains { range in
        let ends = range.replacing(" to now", with: "-999").split(separator: "-")
        return !wanted.lexicographicallyPrecedes(number(ends[0]))
          && !number(ends[ends.count - 1]).lexicographicallyPrecedes(wanted)
      }
  }

  /// Swift source of the module.
  public var source: String {
    let extended = Set(rows.map(\.type)).filter { $0.contains("[") }.sorted()
    return
      (["import Foundation", "import SwiftUI", ""] + rows.filter { $0.type.isEmpty }.map(text)
      + rows.compactMap(givenOnes)
      + extended.map { type in
        let parts = type.dropLast().split(separator: "[")
        return "extension \(parts[0]) where \(parts[1]) {\n" + members(of: type, "extension") + "}\n"
      }).joined(separator: "\n")
  }

  private func text(_ row: Row) -> String {
    let declaration = (row.note == "deprecated" ? "@available(*, deprecated) " : "") + row.declaration
    guard let kind = row.kind else { return leaf(declaration) }
    let path = row.path
    let body =
      kind == "extension" ? "" : members(of: path, kind) + defaultOnes(for: row.conformances, of: path)
    let required = kind == "protocol" ? "" : requirements(of: row.conformances, missingIn: path)
    return "\(declaration) {\n\(body)\(required)}\n"
  }

  /// What a protocol gives to all that conform.
  private func givenOnes(_ row: Row) -> String? {
    let given = rows.filter { member in
      row.kind == "protocol" && member.type == row.path
        && (!member.isRequirement(of: "protocol") || member.note == "default")
    }
    return given.isEmpty
      ? nil : "extension \(row.path) {\n\(given.map { leaf(open($0.declaration)) }.joined())}\n"
  }

  private func members(of path: String, _ kind: String) -> String {
    rows.filter { $0.type == path }.compactMap { row in
      guard kind == "protocol" else { return text(row) }
      guard row.isRequirement(of: kind) else { return nil }
      let access = row.note == "settable" ? "{ get nonmutating set }" : "{ get }"
      return row.declaration + (row.declaration.contains("var ") ? " \(access)\n" : "\n")
    }.joined()
  }

  /// What the compiler wants of conformances to the library's own protocols.
  private func defaultOnes(for conformances: [String], of path: String) -> String {
    let own = rows.filter { $0.type == path }.map(\.declaration).joined(separator: "\n")
    var text = ""
    if conformances.contains("CustomStringConvertible") {
      text += "public var description: String { \"\" }\n"
    }
    if conformances.contains("OptionSet"), !own.contains("let rawValue"),
      let type = own.firstMatch(of: /init\(rawValue: (\w+)\)/)
    {
      text += "public let rawValue: \(type.1)\n"
    }
    return text
  }

  /// Members that the list leaves out because they only fulfil a protocol of it.
  private func requirements(of conformances: [String], missingIn path: String) -> String {
    let own = Set(rows.filter { $0.type == path }.compactMap(\.member))
    let protocols = Set(conformances.flatMap(inherited))
    return rows.filter { row in
      protocols.contains(row.type) && row.isRequirement(of: "protocol") && row.note != "default"
        && !own.contains(row.member ?? "")
    }.map { row in
      row.note == "settable"
        ? "public \(row.declaration) { get { fatalError() } nonmutating set {} }\n"
        : leaf("public \(row.declaration)", isSettable: false)
    }.joined()
  }

  private func inherited(_ name: String) -> [String] {
    [name]
      + rows.filter { $0.kind == "protocol" && $0.name == name }.flatMap(\.conformances).flatMap(inherited)
  }

  private func open(_ declaration: String) -> String {
    if declaration.contains("public ") { return declaration }
    // Attributes stand before it.
    return declaration.replacing(/^((?:@\w+ )*)/, with: { "\($0.1)public " })
  }

  private func leaf(_ declaration: String, isSettable: Bool = true) -> String {
    guard !declaration.contains(/\b(case|typealias|infix)\b/) else { return declaration + "\n" }
    if declaration.contains(/\b(init|func)\b/) { return declaration + " { fatalError() }\n" }
    guard !declaration.contains(" = ") else { return declaration + "\n" }
    let isConstant = !isSettable || declaration.contains(/\blet\b/)
    return declaration.replacing(/\blet\b/, with: "var")
      + (isConstant ? " { fatalError() }\n" : " { get { fatalError() } set {} }\n")
  }

  /// Compiles the module, and what it stands on, into a folder.
  ///
  /// - Returns: what the compiler said; nil for success.
  public func build(_ name: String, in folder: URL) throws -> String? {
    for module in ["UIKit", "SwiftUI"] {
      let file = folder.appendingPathComponent("\(module).swift")
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(
        at: Fixtures.folder.appendingPathComponent("code/\(module).swift.txt"), to: file)
      if let complaint = try Self.emit(module, file, folder) { return complaint }
    }
    let file = folder.appendingPathComponent("\(name).swift")
    try Data(source.utf8).write(to: file)
    return try Self.emit(name, file, folder)
  }

  private static func emit(_ name: String, _ file: URL, _ folder: URL) throws -> String? {
    try SwiftCompiler.complaint([
      "-emit-module", "-parse-as-library", "-swift-version", "5", "-suppress-warnings", "-module-name", name,
      "-module-cache-path", folder.path, "-I", folder.path, file.path, "-o",
      folder.appendingPathComponent("\(name).swiftmodule").path,
    ])
  }
}

/// The compiler, asked whether code holds together.
public enum SwiftCompiler {
  public static let isThere = (try? complaint(["--version"])) == nil

  /// - Returns: nil for success, else what the compiler said.
  public static func complaint(_ arguments: [String]) throws -> String? {
    let result = try Program.run(["swiftc"] + arguments)
    return result.status == 0 ? nil : result.messages
  }

  /// What the package manager links the tests of some targets from.
  public static func objects(of targets: [String]) throws -> [String] {
    let list = BuiltCommand.products.appendingPathComponent(
      "preheatPackageTests.product/Objects.LinkFileList")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { path in targets.contains { path.contains("/\($0).build/") } }
  }
}
