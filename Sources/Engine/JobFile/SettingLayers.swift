import ClientKit
import ClientRegistry
import Pictures
import Settings
import Syntax
import Text

/// Flags over environment over the job's own settings over defaults.
struct SettingLayers {
  let table: SettingTable
  let overrides: JobOverrides
  let environment: [String: String]
  let trust: JobTrust

  /// The texts that a flag gives a setting, or else its variable, each to be read by itself.
  func texts(_ row: Setting) -> [TextLine] {
    let typed = overrides[all: row.name].map { TextLine(flag: "--\(row.flag)", text: $0) }
    let said = variable(row).map { variable in
      (row.repetition == .words ? [variable.value] : row.parts(ofVariable: variable.value))
        .map { TextLine(flag: variable.name, text: $0) }
    }
    // Hosts that may be reached add up; everything else that is typed stands in place of the variable.
    if row.repetition == .words { return typed + (said ?? []) }
    return typed.isEmpty ? said ?? [] : typed
  }

  private func text(_ row: JobRows.Structure) -> TextLine? {
    table.row(named: row.rawValue).flatMap { texts($0).last }
  }

  private func variable(_ row: Setting) -> (name: String, value: String)? {
    for name in [row.variable] + row.aliases.map(Setting.variable) {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }

  /// The job's own values with what is said from outside over them.
  func values(over pass: SettingsPass, _ diagnostics: inout Diagnostics) -> SettingValues {
    var values = pass.values
    for row in table.jobRows where JobRows.Structure(rawValue: row.name) == nil && row.places != .job {
      var outer = SettingValues()
      for line in texts(row) { read(row, line, into: &outer, &diagnostics) }
      if outer.has(row.name) { row.lay(&values, outer) }
    }
    return values
  }

  /// What is wrong with a text is reported at its flag or variable.
  private func read(
    _ row: Setting, _ line: TextLine, into values: inout SettingValues, _ diagnostics: inout Diagnostics
  ) {
    let parts =
      row.repetition == .words
      ? line.bytes.split { LineScanner.isSpace($0) || $0 == UInt8(ascii: ",") } : [line.bytes]
    if parts.isEmpty {
      diagnostics.add(.error, Mistake(0, "\(row.name) is empty", help: row.example), in: line)
    }
    for part in parts {
      var scanner = LineScanner(part)
      scanner.skipSpaces()
      do throws(Mistake) {
        try row.read(&scanner, &values, JobVariables(environment))
        try scanner.expectEnd()
      } catch {
        diagnostics.add(.error, error, in: line)
      }
    }
  }

  func client(_ pass: SettingsPass, _ diagnostics: inout Diagnostics) -> CacheClient? {
    if let line = text(.client) {
      var scanner = LineScanner(line.bytes)
      scanner.skipSpaces()
      do throws(Mistake) {
        let client = try ClientText.client(&scanner)
        try scanner.expectEnd()
        return client
      } catch {
        diagnostics.add(.error, error, in: line)
        return nil
      }
    }
    if pass.client == nil, !pass.mentions(.client) {
      let example = ClientRegistry.example
      missing("the job names no client", "client \(example), or --client '\(example)'", pass, &diagnostics)
    }
    return pass.client
  }

  /// How chains are spelled: the client's way, and where its version is wrong the way of its name.
  func dialect(_ pass: SettingsPass, _ client: CacheClient?, _ values: SettingValues) -> ChainDialect? {
    let name =
      client?.name ?? text(.client).map { LineScanner($0.bytes).peekedWord } ?? pass.clientName ?? ""
    let libraries = ClientRegistry.libraries
    guard let library = libraries.first(where: { $0.name == name }) ?? libraries.first else { return nil }
    let release = client?.release ?? library.newest
    return ChainDialect(library, library.make(release, values), isReleaseKnown: client != nil)
  }

  private func missing(
    _ message: String, _ help: String, _ pass: SettingsPass, _ diagnostics: inout Diagnostics
  ) {
    diagnostics.add(
      Diagnostic(.error, file: pass.file, line: 1, column: 1, message: message, help: help))
  }

  /// Reports what is set but belongs to another client, and what the job's release does not have.
  func check(
    _ pass: SettingsPass, _ client: CacheClient, _ values: SettingValues, _ diagnostics: inout Diagnostics
  ) {
    for row in table.jobRows {
      guard let owner = row.owner, owner != client.name else { continue }
      let reason = "belongs to \(owner), and the client is \(client.name)"
      if let place = pass.places[row.name], let line = place.text {
        diagnostics.add(
          .error, Mistake(place.offset, "'\(row.name)' \(reason)", help: "take it out"), in: line)
      }
      // One command line may serve jobs of several clients.
      for text in overrides[all: row.name] {
        diagnostics.add(
          .warning, Mistake(0, "--\(row.flag) \(reason): it does nothing here"),
          in: TextLine(flag: "--\(row.flag)", text: text))
      }
    }
    guard let made = ClientRegistry.make(client, values) else { return }
    var faults = made.faults(scales: values[JobKey.scale])
    let now = RunDate(environment: environment).start
    if let mistake = made.expiry(.none)?.mistake(at: 0, now: now) {
      faults.append(
        SettingFault(setting: LineOptionName.expires.rawValue, mistake.message, help: mistake.help))
    }
    if let lint = pass.cache.flatMap({ made.lint(ofFolder: $0) }), text(.cache) == nil {
      let place = pass.places[JobRows.Structure.cache.rawValue]
      diagnostics.add(
        Diagnostic(
          .warning, file: pass.file, line: place?.line ?? 1, column: 1, message: lint))
    }
    for fault in faults {
      guard let row = table.row(named: fault.setting) else { continue }
      if let line = texts(row).last {
        diagnostics.add(.error, Mistake(0, fault.message, help: fault.help), in: line)
      } else if let place = pass.places[row.name], let line = place.text {
        diagnostics.add(.error, Mistake(place.offset, fault.message, help: fault.help), in: line)
      }
    }
  }

  /// The job's own path is relative to the job, the others to the working directory.
  func cacheFolder(
    _ pass: SettingsPass, _ input: JobInput, _ diagnostics: inout Diagnostics
  ) -> String? {
    if let line = text(.cache) {
      let path = String(decoding: line.bytes, as: UTF8.self)
      let folder = PathText.absolute(path)
      if !path.allSatisfy(\.isWhitespace), folder != "/", LineFault.first(in: line.bytes) == nil {
        return folder
      }
      diagnostics.add(
        .error, Mistake(0, "this cannot be a cache folder", help: "--cache out/catalog"), in: line)
      return nil
    }
    guard let path = pass.cache else {
      if !pass.mentions(.cache) {
        missing("the job names no cache folder", "cache out/catalog, or --cache DIR", pass, &diagnostics)
      }
      return nil
    }
    let folder = PathText.absolute(path, in: input.folder)
    if folder != "/" {
      if trust.roots?.holds(folder) ?? true { return folder }
      if let place = pass.places[JobRows.Structure.cache.rawValue], let line = place.text {
        let mistake = Mistake(
          place.offset, "the job's cache folder is outside of the trusted folders",
          help: "--cache DIR says where it is, --trusted-root DIR allows a folder")
        diagnostics.add(.error, mistake, in: line)
      }
      return nil
    }
    missing("the cache folder cannot be /", "cache out/catalog", pass, &diagnostics)
    return nil
  }

  /// Chains for job lines that name none; none where nobody says.
  func defaults(
    _ pass: SettingsPass, _ resolver: inout ChainResolver, _ chains: inout ChainTable,
    _ diagnostics: inout Diagnostics
  ) -> [Int] {
    var lines: [(chains: [ChainSyntax], line: TextLine)] = []
    let texts = table.row(named: JobRows.Structure.default.rawValue).map(texts) ?? []
    for line in texts {
      var scanner = LineScanner(line.bytes)
      var mistakes: [Mistake] = []
      do throws(Mistake) {
        let tail = try LineTail(&scanner, for: .chainList("'\(line.file)'"), &mistakes)
        lines.append((tail.chains, line))
        if tail.chains.isEmpty, mistakes.isEmpty {
          throw Mistake(0, "a chain is missing", help: "--chain original")
        }
      } catch {
        mistakes.append(error)
      }
      diagnostics.add(mistakes, in: line)
    }
    // The job's own are read even where they do not count: they may be wrong, and they use chains.
    var own: [Int] = []
    if let defaults = pass.defaults { own = indexes([defaults], &resolver, &chains, &diagnostics) }
    let outer = indexes(lines, &resolver, &chains, &diagnostics)
    return texts.isEmpty ? own : outer
  }

  private func indexes(
    _ lines: [(chains: [ChainSyntax], line: TextLine)], _ resolver: inout ChainResolver,
    _ table: inout ChainTable, _ diagnostics: inout Diagnostics
  ) -> [Int] {
    var indexes: [Int] = []
    for (chains, line) in lines {
      var mistakes: [Mistake] = []
      for chain in chains {
        guard let index = resolver.index(of: chain, in: line, table: &table, &mistakes),
          !indexes.contains(index)
        else { continue }
        indexes.append(index)
      }
      diagnostics.add(mistakes, in: line)
    }
    return indexes
  }
}
