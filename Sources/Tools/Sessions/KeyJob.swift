import ClientKit
import ClientRegistry
import JobFile
import Syntax
import Text

/// A job that makes exactly the cache keys that it was made from, as the text of a job.
package struct KeyJob: Sendable {
  /// A key that no line of the job makes.
  package struct Refusal: Error, Hashable {
    package var key: String
    package var reason: String
    /// The job line as far as the key shows it, with `URL` where one has to be put in; nil where it shows too little.
    package var proposal: String?

    static let lineEnd = "it has a line end in it, and a line of a job has none"
  }

  /// A line of the job with its chains written out, and the keys that it makes.
  package struct Line: Sendable, Hashable {
    package var text: String
    package var keys: [String]
  }

  package var text: String
  package var client: CacheClient
  package var lines: [Line]
  /// Different keys that went in.
  package var keyCount: Int
  package var sourceCount: Int
  package var chainCount: Int
  /// Chains that have a processor of the app's own in them, so that nothing is drawn for them.
  package var undrawnCount: Int
  /// Keys of such chains that are comments of the job.
  package var setAsideCount = 0
  package var refusals: [Refusal]
}

extension KeyJob {
  /// Makes a job of the requests of a session. The job is planned before it is handed out: a line whose plan has another
  /// key than the one that went in is left out, and its keys are refused.
  ///
  /// - Parameters:
  ///   - given: settings of the job, at least the client; a scale makes sizes in points of pixels.
  ///   - setsAside: lines of chains that have a processor of the app's own become comments, so that a run makes all of
  ///     the job.
  ///   - listsLines: whether each of its lines is reported.
  /// - Returns: nil with the reasons in the diagnostics where the settings are wrong.
  package static func make(
    from recorded: consuming [RecordedRequest], _ given: GivenSettings, setsAside: Bool = false,
    listsLines: Bool = true
  ) -> (job: KeyJob?, diagnostics: Diagnostics) {
    var requests = recorded
    var proposals: [SettingProposal] = []
    var settings = ResolvedSettings(given, needsClient: true)
    func makeClient() -> (any ImageClient)? {
      settings.diagnostics.hasErrors
        ? nil : settings.client.flatMap { ClientRegistry.make($0, settings.values) }
    }
    func propose(_ found: [SettingProposal]) {
      proposals += found
      settings = ResolvedSettings(given, proposals: proposals, needsClient: true)
    }
    guard let reader = makeClient() else { return (nil, settings.diagnostics) }
    let keys = requests.lazy.map(\.key).filter { !KeyLimits.isTooLong($0) }
    propose(reader.settings(readFrom: Array(keys)).filter { !settings.values.has($0.name) })
    if settings.values[JobKey.stripQuery].isEmpty,
      let names = StrippedQueries.names(in: requests, of: makeClient() ?? reader)
    {
      propose([(JobKey.stripQuery.name, names, "the keys are the URLs without these query items")])
    }
    guard let client = makeClient() else { return (nil, settings.diagnostics) }
    let folder = given[JobRows.Structure.cache.rawValue] ?? "out/\(client.starter.folder)"
    let reasons = Dictionary(proposals.map { ($0.name, $0.reason) }) { first, _ in first }
    let head =
      settings.lines.map { line in line.text + (reasons[line.row].map { "   # \($0)" } ?? "") + "\n" }
      .joined()
      + "cache \(QuotedText.quoted(folder))\n"
    var draft = KeyDraft(head: head, rows: client.processorRows, reserved: given.table.reservedWords)
    KeyLines(client: client, values: settings.values).add(requests, to: &draft)
    // A million of them make room for the plan.
    requests = []
    let (written, diagnostics) = draft.prove()
    if diagnostics.hasErrors { return (nil, diagnostics) }
    let job = draft.finish(written, for: client.identity, setsAside: setsAside, listsLines: listsLines)
    return (job, settings.diagnostics)
  }
}

/// Finds the job lines of recorded requests.
private struct KeyLines {
  let client: any ImageClient
  let stripQuery: QueryNames
  /// Those that the job names.
  let scales: [Double]

  init(client: any ImageClient, values: SettingValues) {
    self.client = client
    scales = values.has(JobKey.scale.name) ? values[JobKey.scale] : []
    stripQuery = QueryNames(values[JobKey.stripQuery])
  }

  /// A request whose URL, or what stands in its place, is known.
  private struct Located: Sendable {
    var key: String
    /// As the app holds it.
    var source: KeyDraft.Source
    /// The key: at the job's scale, or in pixels where it has several or none.
    var found: KeyDraft.Found

    init(_ key: String, _ url: String, id: String? = nil, _ found: KeyDraft.Found) {
      (self.key, self.found) = (key, found)
      source = .init(url: ByteText(url), id: id.map { ByteText($0) })
    }
  }

  /// Number of requests read at a time; what is read of a million would need more room than they.
  private static let atOnce = 1 << 15

  func add(_ requests: [RecordedRequest], to draft: inout KeyDraft) {
    var seen: Set<ByteText> = []
    var located: [Located] = []
    for first in stride(from: 0, to: requests.count, by: Self.atOnce) {
      let new = requests[first...].prefix(Self.atOnce).filter { seen.insert(ByteText($0.key)).inserted }
      draft.keyCount += new.count
      let places = new.concurrentMap(least: 500) { request in
        Result { () throws(KeyJob.Refusal) in try locate(request) }
      }
      for place in places {
        switch place {
        case .success(let place) where scales.count > 1: located.append(place)
        case .success(let place): draft.add(place.source, place.found, keys: [place.key])
        case .failure(let refusal): draft.refusals.append(refusal)
        }
      }
    }
    if scales.count > 1 { addAtAllScales(located, to: &draft) }
  }

  /// A chain in points has a key for each of the job's scales. Only where all of them went in it is one chain.
  private func addAtAllScales(_ located: [Located], to draft: inout KeyDraft) {
    struct Request: Hashable {
      var source: KeyDraft.Source
      var chain: ByteText
    }
    var keysOfScales: [Request: [Int: String]] = [:]
    let readings = located.map { place in
      scales.enumerated().map { index, scale in
        let found = found(client.reading(ofKey: place.key, base: place.found.base, scale: scale))
        let request = Request(source: place.source, chain: ByteText(found.text))
        keysOfScales[request, default: [:]][index] = place.key
        return (found, request)
      }
    }
    // Its keys are added with the first of them.
    var added: Set<Request> = []
    for (place, readings) in zip(located, readings) {
      guard let (found, request) = readings.first(where: { keysOfScales[$0.1]?.count == scales.count }) else {
        draft.add(place.source, place.found, keys: [place.key])
        continue
      }
      guard added.insert(request).inserted else { continue }
      draft.add(place.source, found, keys: Array(keysOfScales[request, default: [:]].values))
    }
  }

  /// The source of a request: what the recording says, else what the key begins with.
  private func locate(_ request: RecordedRequest) throws(KeyJob.Refusal) -> Located {
    func refusal(_ reason: String) -> KeyJob.Refusal { .init(key: request.key, reason: reason) }
    if KeyLimits.isTooLong(request.key) {
      throw refusal("it is longer than \(KeyLimits.longestKey / 1024) KiB")
    }
    let scale = scales.count == 1 ? scales.first : nil
    guard let text = request.url else {
      let reading = client.reading(ofKey: request.key, base: nil, scale: scale)
      let base = reading.base
      guard SourceScheme(rawValue: base.prefix { $0 != ":" }.lowercased()) != nil else {
        throw KeyJob.Refusal(
          key: request.key,
          reason: "it does not begin with a URL: record it with its URL, or put one into the line",
          proposal: proposal(request, base: base))
      }
      guard let held = URLText(base)?.text, ByteText(held) == ByteText(base) else {
        throw refusal("the end of its URL is not known: record it with its URL")
      }
      guard ByteText(client.baseKey(url: base, options: .none, stripQuery: [])) == ByteText(base) else {
        throw refusal("this client release makes another key for this URL")
      }
      return Located(request.key, base, found(reading))
    }
    guard let url = URLText(text)?.text else { throw refusal("the URL in the recording is not valid") }
    var options = RequestOptions()
    options.imageID = request.id
    let expected = client.baseKey(url: url, options: options, stripQuery: stripQuery)
    let reading = client.reading(ofKey: request.key, base: expected, scale: scale)
    if ByteText(reading.base) == ByteText(expected) {
      return Located(request.key, url, id: request.id, found(reading))
    }
    guard QuotedText.holds(reading.base) else { throw refusal(KeyJob.Refusal.lineEnd) }
    return Located(request.key, url, id: reading.base, found(reading))
  }

  /// The line of a key that begins with what the app gave in place of a URL.
  private func proposal(_ request: RecordedRequest, base: String) -> String? {
    guard !base.isEmpty, QuotedText.holds(request.key) else { return nil }
    let reading = client.reading(ofKey: request.key, base: base, scale: scales.first)
    let chain = client.processorRows.text(reading.calls)
    return JobWord.line(url: "URL", chains: [chain], id: base)
  }

  private func found(_ reading: KeyReading) -> KeyDraft.Found { .init(reading, client.processorRows) }
}

/// Which query items an app leaves out of its keys, seen from URLs that were recorded beside them.
enum StrippedQueries {
  /// As `strip-query` has them; nil where the keys show none, or contradict each other.
  static func names(in requests: [RecordedRequest], of client: any ImageClient) -> String? {
    var found: [String] = []
    var seen: Set<String> = []
    var kept: [(url: String, base: String)] = []
    for request in requests where request.id == nil && !KeyLimits.isTooLong(request.key) {
      guard let url = request.url.flatMap({ URLText($0)?.text }), url.utf8.contains(UInt8(ascii: "?")) else {
        continue
      }
      let whole = client.reading(ofKey: request.key, base: url, scale: nil).base
      let base =
        whole.utf8.elementsEqual(url.utf8)
        ? url : client.reading(ofKey: request.key, base: nil, scale: nil).base
      guard let removed = removed(from: url, leaving: base) else { continue }
      kept.append((url, base))
      for name in removed where seen.insert(name).inserted { found.append(name) }
    }
    // A star would mean more than itself, and white space ends a word.
    guard !found.isEmpty, found.allSatisfy({ !$0.isEmpty && !$0.contains { "* \t\"#".contains($0) } }) else {
      return nil
    }
    let patterns = QueryNames(found)
    let text = found.joined(separator: " ")
    // A line of a job has an end; with more names than it holds each key stands beside its URL.
    return text.utf8.count < LineReader.longestLine / 2
      && kept.allSatisfy { patterns.strip($0.url).utf8.elementsEqual($0.base.utf8) } ? text : nil
  }

  /// The names of the items that one text has more than the other; nil where that is not all the difference.
  private static func removed(from url: String, leaving base: String) -> [String]? {
    guard url.prefix(while: { $0 != "?" }).utf8.elementsEqual(base.prefix { !"?#".contains($0) }.utf8) else {
      return nil
    }
    var left = items(base)[...]
    var names: [String] = []
    for item in items(url) {
      if item == left.first {
        left.removeFirst()
      } else {
        names.append(String(item.prefix { $0 != "=" }))
      }
    }
    return left.isEmpty ? names : nil
  }

  private static func items(_ url: String) -> [Substring] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].prefix { $0 != "#" }.split(
      separator: "&", omittingEmptySubsequences: false)
  }
}
