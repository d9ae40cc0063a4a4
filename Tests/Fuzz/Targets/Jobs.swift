import ClientKit
import ClientRegistry
import JobFile
import Planning
import Syntax
import Text

extension FuzzTarget {
  /// A job and its plan. Lists and lock files are left out: an input may not choose which files of this machine are read.
  static let job = FuzzTarget(name: "job") { bytes in
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    guard !text.contains("include"), !text.contains("from") else { return }
    let (plan, diagnostics) = planned(bytes)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
    for diagnostic in diagnostics where diagnostic.file == name {
      try hold(
        (1...lines).contains(diagnostic.line) && diagnostic.column > 0,
        "a finding lies in the job: \(diagnostic.line):\(diagnostic.column)")
    }
    let shown = diagnostics.rendered().unicodeScalars
    // A tab stands where the line has one, so that the caret is under its place.
    try hold(
      !shown.contains { $0 != "\n" && $0 != "\t" && SafeText.isDangerous($0) },
      "findings are safe to print: \(shown)")
    if !bytes.contains(secret.utf8) {
      try hold(!Array(String(shown).utf8).contains(secret.utf8), "no finding shows a variable")
    }
    guard let plan else {
      return try hold(diagnostics.hasErrors, "a job without a plan has an error")
    }
    for rendition in plan.renditions { try check(rendition, by: plan.client) }
    let again = planned(bytes + Array("\n# the end\n".utf8)).plan
    try hold(
      again.map { Array($0.renditions) } == Array(plan.renditions), "a comment at the end changes nothing")
  }

  private static let name = "fuzz.job"
  private static let secret = "nobody-sees-this"

  private static func planned(_ bytes: [UInt8]) -> (plan: Plan?, diagnostics: Diagnostics) {
    Plan.make(
      .text(name: name, bytes: bytes),
      GivenSettings(environment: ["TOKEN": secret, "SOURCE_DATE_EPOCH": "1700000000"]))
  }

  private static func check(_ rendition: PlannedRendition, by client: any ImageClient) throws(Broken) {
    for store in rendition.stores {
      try hold(isOneName(store.fileName), "a file lies in its cache folder: \(store.fileName)")
      try hold(client.isName(store.fileName, ofKey: store.key), "a file has its key's name: \(store.key)")
    }
  }

  /// Whether a name can neither leave its folder nor hide in it.
  static func isOneName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
      && name.utf8.count <= 255
  }

  /// A lock file of an app, in every form and for every client.
  static let lockFile = FuzzTarget(name: "lock-file") { bytes in
    for name in ["Package.resolved", "Podfile.lock"] {
      for library in ClientRegistry.libraries {
        do {
          let version = try AppLockFile(name) { LineReader(bytes: bytes) }.version(of: library)
          try hold(
            version.map { $0.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil } ?? true,
            "a release is three numbers: \(version ?? "")")
        } catch let error as Mistake {
          let shown = SafeText.escape(error.message)
          try hold(shown == error.message, "a mistake is safe to print: \(shown)")
        }
      }
    }
  }

  /// A chain as a line of a job spells it, for every client.
  static let chain = FuzzTarget(name: "chain") { bytes in
    guard let syntax = parsed(bytes) else { return }
    let printed = ChainPrinter.text(syntax)
    guard let again = parsed(Array(printed.utf8)) else {
      throw Broken(promise: "a chain that was printed is one: \(printed)")
    }
    try hold(ChainPrinter.text(again) == printed, "a chain that was printed is the same: \(printed)")
    for client in clients {
      let (first, second) = (read(syntax, client), read(again, client))
      try hold(first.chain == second.chain, "it means the same to \(client.identity): \(printed)")
      try hold(
        first.mistakes.map(\.message) == second.mistakes.map(\.message),
        "it has the same mistakes for \(client.identity): \(printed)")
      try hold(
        first.chain != nil || !first.mistakes.isEmpty,
        "what \(client.identity) refuses has a reason: \(printed)")
    }
  }

  static func parsed(_ bytes: [UInt8]) -> ChainSyntax? {
    var scanner = LineScanner(bytes[...])
    return try? scanner.chain()
  }

  /// The oldest and the newest release of each library.
  static let clients: [any ImageClient] = ClientRegistry.libraries.flatMap { library in
    [library.releases.last, library.releases.first].compactMap { $0 }.map {
      library.make($0, SettingValues())
    }
  }

  static func read(
    _ syntax: ChainSyntax, _ client: any ImageClient
  ) -> (chain: Chain?, mistakes: [Mistake]) {
    var mistakes: [Mistake] = []
    var lints: [Mistake] = []
    let members = syntax.members.map { member in
      client.processorRows.names.contains(member.name) ? client.member(member, &mistakes, &lints) : nil
    }
    for member in syntax.members where !client.processorRows.names.contains(member.name) {
      mistakes.append(Mistake(member.offset, "\(member.name) is none of its processors"))
    }
    let known = members.compactMap { $0 }
    return (known.count == members.count && mistakes.isEmpty ? Chain(known) : nil, mistakes)
  }
}

/// Writes a chain as a job would spell it.
enum ChainPrinter {
  static func text(_ syntax: ChainSyntax) -> String {
    syntax.members.map(text).joined(separator: " | ")
  }

  private static func text(_ member: ChainSyntax.Member) -> String {
    // With the dot of an app's code, so that a name may begin with another.
    "." + member.name + (member.arguments.map { "(\(text($0)))" } ?? "")
      + (member.identifier.map { " as \(quoted($0.text))" } ?? "")
  }

  private static func text(_ arguments: [ChainSyntax.Argument]) -> String {
    arguments.map { ($0.label.map { "\($0): " } ?? "") + text($0.value) }.joined(separator: ", ")
  }

  private static func text(_ value: ChainSyntax.Value) -> String {
    switch value {
    case .word(let word): word
    case .quoted(let text): quoted(text)
    case .group(let arguments): "(\(text(arguments)))"
    case .call(let name, let arguments): "\(name)(\(text(arguments)))"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
