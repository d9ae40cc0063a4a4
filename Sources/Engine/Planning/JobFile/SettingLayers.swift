import Fetching
import KingfisherCache
import Text

/// Flags over environment over the job's own settings over defaults.
struct SettingLayers {
  package var overrides: JobOverrides
  package var environment: [String: String]

  /// The flag's text, or else the variable's.
  package func text(_ flag: String?, _ name: String) -> TextLine? {
    if let flag { return TextLine(flag: "--\(name)", text: flag) }
    return variable(name).map { TextLine(flag: $0.name, text: $0.value) }
  }

  private func variable(_ name: String) -> (name: String, value: String)? {
    let key = "PREHEAT_" + name.uppercased().replacing("-", with: "_")
    guard let value = environment[key], !value.isEmpty else { return nil }
    return (key, value)
  }

  /// Reads what is said from outside; what is wrong with it is reported at the flag.
  package func read<T>(
    _ flag: String?, _ name: String, _ diagnostics: inout Diagnostics,
    _ parse: (inout LineScanner) throws(Mistake) -> T
  ) -> T? {
    guard let line = text(flag, name) else { return nil }
    var scanner = LineScanner(line.bytes)
    scanner.skipSpaces()
    do throws(Mistake) {
      let value = try parse(&scanner)
      try scanner.expectEnd()
      return value
    } catch {
      diagnostics.add(.error, error, in: line)
      return nil
    }
  }

  package func client(_ pass: SettingsPass, _ diagnostics: inout Diagnostics) -> CacheClient? {
    if text(overrides.client, "client") != nil {
      return read(overrides.client, "client", &diagnostics, SettingText.client)
    }
    if pass.client == nil, !pass.mentions(.client) {
      let help = "client nuke 12, or --client 'nuke 12'"
      missing("the job names no client", help, pass, &diagnostics)
    }
    return pass.client
  }

  /// How chains are spelled: the client's way, and where its version is wrong the way of its name.
  func dialect(_ pass: SettingsPass, _ client: CacheClient?, style: KingfisherKeyFormat.Style) -> ChainDialect
  {
    if let client { return ChainDialect(client, style: style) }
    let name =
      text(overrides.client, "client").map { LineScanner($0.bytes).peekedWord } ?? pass.clientName
    return name == "kingfisher" ? .kingfisher(nil, style) : .nuke(nil)
  }

  private func missing(
    _ message: String, _ help: String, _ pass: SettingsPass, _ diagnostics: inout Diagnostics
  ) {
    diagnostics.add(
      Diagnostic(.error, file: pass.file, line: 1, column: 1, message: message, help: help))
  }

  package func settings(
    _ pass: SettingsPass, _ client: CacheClient?, _ kingfisher: KingfisherSettings, _ input: JobInput,
    _ diagnostics: inout Diagnostics
  ) -> JobSettings? {
    let cache = cacheFolder(pass, input, &diagnostics)
    let policy = read(overrides.policy, "policy", &diagnostics, SettingText.policy) ?? pass.policy
    let scales = read(overrides.scale, "scale", &diagnostics, SettingText.scales) ?? pass.scales
    let encoding = read(overrides.encode, "encode", &diagnostics, SettingText.encoding) ?? pass.encoding
    let embedded = read(overrides.embedded, "embedded", &diagnostics, SettingText.embedded) ?? pass.embedded
    let sizeLimit =
      read(overrides.sizeLimit, "size-limit", &diagnostics, SettingText.sizeLimit) ?? pass.sizeLimit
    let sources = sources(pass, &diagnostics)
    let limits = limits(pass, &diagnostics)
    let hosts = allowedHosts(&diagnostics)
    let rates = rateLimits(&diagnostics)
    let perHost =
      read(overrides.perHost, "per-host", &diagnostics, SettingText.connectionsPerHost)
      ?? pass.connectionsPerHost
    if let client { checkOwners(pass, client, &diagnostics) }
    if case .kingfisher(let version) = client {
      check(kingfisher, scales: scales ?? [], of: version, pass, &diagnostics)
    }
    guard let client, let cache else { return nil }
    var settings = JobSettings(path: input.path, client: client, cache: cache)
    settings.kingfisher = kingfisher
    if let policy { settings.policy = policy }
    if let scales { settings.scales = scales }
    if let encoding { settings.encoding = encoding }
    if let embedded { settings.embedded = embedded }
    if let sizeLimit { settings.sizeLimit = sizeLimit }
    settings.sources = sources
    settings.limits = limits
    settings.stripQuery = pass.stripQuery
    settings.headers = pass.headers
    settings.rateLimits = rates + pass.rateLimits
    settings.connectionsPerHost = perHost
    settings.signatures = pass.signatures
    settings.allowPrivate = pass.allowPrivate + hosts.filter { !pass.allowPrivate.contains($0) }
    return settings
  }

  private func sources(_ pass: SettingsPass, _ diagnostics: inout Diagnostics) -> SourceSettings {
    var sources = pass.sources
    if let size = read(overrides.httpCache, "http-cache", &diagnostics, SettingText.httpCache) {
      sources.httpCache = size
    }
    if let time = read(overrides.staleIfError, "stale-if-error", &diagnostics, SettingText.staleIfError) {
      sources.staleIfError = time
    }
    if let check = read(overrides.check, "check", &diagnostics, SettingText.check) { sources.check = check }
    return sources
  }

  private func limits(_ pass: SettingsPass, _ diagnostics: inout Diagnostics) -> LimitSettings {
    var limits = pass.limits
    for name in LimitSettings.Name.allCases {
      let outer = read(overrides.limits[name], name.rawValue, &diagnostics) {
        (scanner) throws(Mistake) in try LimitSettings.read(name, &scanner)
      }
      if let outer { limits[name] = outer }
    }
    return limits
  }

  /// The job's own path is relative to the job, the others to the working directory.
  private func cacheFolder(
    _ pass: SettingsPass, _ input: JobInput, _ diagnostics: inout Diagnostics
  ) -> String? {
    if let line = text(overrides.cache, "cache") {
      let path = String(decoding: line.bytes, as: UTF8.self)
      let folder = PathText.absolute(path)
      if !path.isEmpty, folder != "/", LineFault.first(in: line.bytes) == nil { return folder }
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
    if folder != "/" { return folder }
    missing("the cache folder cannot be /", "cache out/catalog", pass, &diagnostics)
    return nil
  }

  /// One limit a flag, one limit a line of the variable; they go before the job's own.
  private func rateLimits(_ diagnostics: inout Diagnostics) -> [HTTPRateLimit] {
    var lines = overrides.rateLimits.map { TextLine(flag: "--rate-limit", text: $0) }
    if lines.isEmpty, let (name, value) = variable("rate-limit") {
      lines = value.split(whereSeparator: \.isNewline).map { TextLine(flag: name, text: String($0)) }
    }
    var limits: [HTTPRateLimit] = []
    for line in lines {
      var scanner = LineScanner(line.bytes)
      scanner.skipSpaces()
      do throws(Mistake) { limits.append(try SettingText.rateLimit(&scanner)) } catch {
        diagnostics.add(.error, error, in: line)
      }
    }
    return limits
  }

  private func allowedHosts(_ diagnostics: inout Diagnostics) -> [String] {
    var lines = overrides.allowPrivate.map { TextLine(flag: "--allow-private", text: $0) }
    if let (name, value) = variable("allow-private") { lines.append(TextLine(flag: name, text: value)) }
    var hosts: [String] = []
    for line in lines {
      for word in line.bytes.split(whereSeparator: { LineScanner.isSpace($0) || $0 == UInt8(ascii: ",") }) {
        do throws(Mistake) {
          let host = try SettingText.host(word, at: word.startIndex, allowsWildcard: true)
          if !hosts.contains(host) { hosts.append(host) }
        } catch {
          diagnostics.add(.error, error, in: line)
        }
      }
    }
    return hosts
  }

  /// Chains for entries that name none; none where nobody says.
  package func defaults(
    _ pass: SettingsPass, _ resolver: inout ChainResolver, _ table: inout ChainTable,
    _ diagnostics: inout Diagnostics
  ) -> [Int] {
    var lines: [(chains: [ChainSyntax], line: TextLine)] = []
    var texts = overrides.chains.map { TextLine(flag: "--chain", text: $0) }
    if texts.isEmpty, let (name, value) = variable("chain") { texts = [TextLine(flag: name, text: value)] }
    for line in texts {
      var scanner = LineScanner(line.bytes)
      var mistakes: [Mistake] = []
      do throws(Mistake) {
        let tail = try EntryTail(&scanner, for: .chainList("'\(line.file)'"), &mistakes)
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
    if let defaults = pass.defaults { own = indexes([defaults], &resolver, &table, &diagnostics) }
    let outer = indexes(lines, &resolver, &table, &diagnostics)
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
