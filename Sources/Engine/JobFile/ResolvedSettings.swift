import Bodies
import ClientKit
import ClientRegistry
import Syntax
import Text

/// The settings that hold: flags over variables over lines of a job over defaults, with or without a job.
package struct ResolvedSettings: Sendable {
  package private(set) var client: CacheClient?
  package private(set) var origin = ReleaseOrigin()
  /// All settings that were given.
  package private(set) var values: SettingValues
  /// The same as lines of a job.
  package private(set) var lines: [SettingLine] = []
  package private(set) var diagnostics = Diagnostics()

  let given: GivenSettings
  private let pass: SettingsPass

  /// The settings of a command line without a job.
  ///
  /// - Parameters:
  ///   - proposals: what stands in place of a job's lines.
  ///   - needsClient: whether it is a mistake to name no client.
  package init(_ given: GivenSettings, proposals: [SettingProposal] = [], needsClient: Bool = false) {
    var pass = SettingsPass(file: "(arguments)", given)
    for proposal in proposals { pass.read(proposal) }
    self.init(given, over: pass, needsClient: needsClient)
    diagnostics.add(contentsOf: pass.diagnostics)
  }

  /// - Parameter pass: the job's own settings. What is wrong with them it tells itself.
  /// - Parameter folder: that of the job.
  init(_ given: GivenSettings, over pass: SettingsPass, in folder: String = ".", needsClient: Bool = true) {
    self.given = given
    self.pass = pass
    values = pass.values
    values[JobKey.rateLimit] = []
    for row in given.table.jobRows
    where JobRows.Structure(rawValue: row.name) == nil && row.places.contains(.flag) {
      for line in given.texts(row) { read(row, line) }
    }
    // The first limit that names a host holds for it.
    values[JobKey.rateLimit] += pass.values[JobKey.rateLimit]
    client = resolveClient(in: folder, isNeeded: needsClient)
    if let client {
      check(client)
      lines = settingLines(client.name)
    }
  }

  /// What is wrong with a text is reported at its flag or variable.
  private mutating func read(_ row: Setting, _ line: TextLine) {
    let words = line.bytes.split { LineScanner.isSpace($0) || $0 == UInt8(ascii: ",") }
    for part in row.repetition == .words && !words.isEmpty ? words : [line.bytes] {
      do throws(Mistake) { try row.value(of: part, into: &values, variables: given.ownVariables) } catch {
        diagnostics.add(.error, error, in: line)
      }
    }
  }

  private mutating func resolveClient(in folder: String, isNeeded: Bool) -> CacheClient? {
    let outer = given.texts(.client).last
    // A wrong line is reported also where it does not count; the app's files are not asked for then.
    let own = pass.client.flatMap {
      outer == nil || !$0.text.isFile ? client($0.text, in: folder, $0.line) : nil
    }
    if let outer {
      var scanner = LineScanner(outer.bytes)
      scanner.skipSpaces()
      do throws(Mistake) { return client(try ClientText(&scanner), in: ".", outer) } catch {
        diagnostics.add(.error, error, in: outer)
        return nil
      }
    }
    if isNeeded, !pass.mentions(.client) {
      let example = ClientRegistry.example
      missing("the job names no client", "client \(example), or --client '\(example)'")
    }
    return own
  }

  private mutating func client(_ text: ClientText, in folder: String, _ line: TextLine) -> CacheClient? {
    do throws(Mistake) {
      let (client, origin) = try text.client(
        in: folder, within: given.trust.roots, takesNearest: values[JobKey.nearestRelease])
      if let caution = origin.caution { diagnostics.add(.warning, caution, in: line) }
      self.origin = origin
      return client
    } catch {
      diagnostics.add(.error, error, in: line)
      return nil
    }
  }

  /// How chains are spelled: the client's way, and where its version is wrong the way of its name.
  var dialect: ChainDialect? {
    let name =
      client?.name ?? given.texts(.client).last.map { LineScanner($0.bytes).peekedWord } ?? pass.clientName
      ?? ""
    let libraries = ClientRegistry.libraries
    guard let library = libraries.first(where: { $0.name == name }) ?? libraries.first else { return nil }
    let release = client?.release ?? library.newest
    return ChainDialect(
      library, library.make(release, values), isReleaseKnown: client != nil, values)
  }

  private mutating func missing(_ message: String, _ help: String) {
    diagnostics.add(.inJob(pass.file, message, help: help))
  }

  /// Reports what is set but belongs to another client, and what the client's release does not have.
  private mutating func check(_ client: CacheClient) {
    for row in given.table.jobRows {
      guard let owner = row.owner, owner != client.name else { continue }
      let reason = "belongs to \(owner), and the client is \(client.name)"
      addToLine(of: row.name, "'\(row.name)' \(reason)", help: "take it out")
      // One command line may serve jobs of several clients.
      for text in given.flags[row.name] ?? [] {
        diagnostics.add(
          .warning, Mistake(0, "--\(row.flag) \(reason): it does nothing here"),
          in: TextLine(flag: "--\(row.flag)", text: text))
      }
    }
    guard let made = ClientRegistry.make(client, values) else { return }
    var faults = made.faults(scales: values[JobKey.scale])
    let now = RunDate(environment: given.environment).start
    if let mistake = made.folder.expiry?.mistake(at: 0, now: now) {
      faults.append(("expires", mistake))
    }
    if let lint = pass.cache.flatMap({ made.lint(.folder($0), at: 0) }), given.texts(.cache).isEmpty {
      addToLine(of: JobRows.Structure.cache.rawValue, lint.message, isVital: true, as: .warning)
    }
    for fault in faults {
      guard let row = given.table.row(named: fault.setting) else { continue }
      if let line = given.texts(row).last {
        diagnostics.add(.error, fault.mistake, in: line)
      } else {
        addToLine(of: row.name, fault.mistake.message, help: fault.mistake.help)
      }
    }
  }

  /// What is wrong with the job's own line, where it has one.
  private mutating func addToLine(
    of row: String, _ message: String, help: String? = nil, isVital: Bool = false,
    as severity: Diagnostic.Severity = .error
  ) {
    guard let (offset, line) = pass.places[row] else { return }
    diagnostics.add(severity, Mistake(offset, message, help: help, isVital: isVital), in: line)
  }

  /// The cache folder of a job. The job's own path is relative to the job, the others to the working directory.
  mutating func cacheFolder(_ input: JobInput) -> String? {
    if let line = given.texts(.cache).last {
      let path = String(decoding: line.bytes, as: UTF8.self)
      let folder = PathText.absolute(path)
      let isNone = path.allSatisfy(\.isWhitespace) || folder == "/" || LineFault.first(in: line.bytes) != nil
      let mistake =
        SettingsPass.mistake(inPath: path, at: 0)
        ?? (isNone ? Mistake(0, "this cannot be a cache folder", help: "--cache out/catalog") : nil)
      guard let mistake else { return folder }
      diagnostics.add(.error, mistake, in: line)
      return nil
    }
    guard let path = pass.cache else {
      if !pass.mentions(.cache) {
        missing("the job names no cache folder", "cache out/catalog, or --cache DIR")
      }
      return nil
    }
    let folder = PathText.absolute(path, in: input.folder)
    if folder == "/" {
      missing("the cache folder cannot be /", "cache out/catalog")
    } else if given.trust.roots?.holds(folder) ?? true {
      return folder
    } else {
      addToLine(
        of: JobRows.Structure.cache.rawValue, "the job's cache folder is outside of the trusted folders",
        help: "--cache DIR says where it is, --trusted-root DIR allows a folder")
    }
    return nil
  }

  /// Chains for job lines that name none; none by default.
  mutating func defaults(_ resolver: inout ChainResolver, _ chains: inout ChainTable) -> [Int] {
    var lines: [(chains: [ChainSyntax], line: TextLine)] = []
    let texts = given.texts(.default)
    for line in texts {
      var scanner = LineScanner(line.bytes)
      var mistakes: [Mistake] = []
      do throws(Mistake) {
        let tail = try LineTail(&scanner, for: .chainList("'\(line.file)'"), given.table, &mistakes)
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
    let own = indexes(pass.defaults.map { [$0] } ?? [], &resolver, &chains)
    let outer = indexes(lines, &resolver, &chains)
    return texts.isEmpty ? own : outer
  }

  private mutating func indexes(
    _ lines: [(chains: [ChainSyntax], line: TextLine)], _ resolver: inout ChainResolver,
    _ table: inout ChainTable
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

  /// Settings of the job's own files and lines, which a job that is made of others does not repeat.
  private static let ownLines: Set<String> = [
    JobRows.Structure.cache.rawValue, JobRows.Structure.include.rawValue, JobKey.prune.name,
    JobKey.skipInvalid.name, JobKey.allowEmpty.name,
  ]

  /// Flags and variables laid over the job's own lines, which stay as written: `${NAME}` does not become its secret.
  private func settingLines(_ client: String) -> [SettingLine] {
    var lines: [SettingLine] = []
    var replaced = Self.ownLines
    for row in given.table.jobRows where row.places.contains(.flag) && !Self.ownLines.contains(row.name) {
      // One command line may serve jobs of several clients.
      if let owner = row.owner, owner != client { continue }
      let outer = given.texts(row).map { String(decoding: $0.bytes, as: UTF8.self) }.filter { !$0.isEmpty }
      if outer.isEmpty { continue }
      let isDefault = row.name == JobRows.Structure.default.rawValue
      if isDefault || row.repetition == .single { replaced.insert(row.name) }
      let texts =
        isDefault ? [outer.joined(separator: " ")] : row.repetition == .single ? outer.suffix(1) : outer
      lines += texts.map { SettingLine(row: row.name, text: "\(row.name) \($0)") }
    }
    // What a flag holds may have line ends, which no value of a setting has.
    lines.removeAll { $0.text.utf8.contains { $0 < 0x20 && $0 != 9 } }
    if let client = self.client, origin.file != nil {
      // The path is relative to this job.
      let row = JobRows.Structure.client.rawValue
      lines.removeAll { $0.row == row }
      lines.insert(SettingLine(row: row, text: "\(row) \(client)"), at: 0)
      replaced.insert(row)
    }
    return lines + pass.settingLines.filter { !replaced.contains($0.row) }
  }
}

/// A setting as a line of a job.
package struct SettingLine: Sendable, Hashable {
  package var row: String
  package var text: String
}

extension [SettingLine] {
  /// SHA-256 of those that decide keys and bytes, as written; how they are fetched may change from run to run.
  package var digest: String {
    let table = SettingTable.jobs
    let passing: Setting.Work = [.fetching, .sizes, .pruning, .place]
    let lines = filter { table.row(named: $0.row).map { !passing.isSuperset(of: $0.changes) } ?? false }
    return ContentDigest.sha256(lines.map { $0.text + "\n" }.joined().utf8)
  }
}
