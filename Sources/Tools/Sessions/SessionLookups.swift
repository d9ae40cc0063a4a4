import ClientKit
import Concurrency
import Text

extension SessionReplay {
  /// Requests of one key and the same options look up the same.
  struct Asked: Hashable {
    var key: ByteText
    var options: [String]

    init(_ request: RecordedRequest) { (key, options) = (ByteText(request.key), request.options) }
  }

  /// What requests look up. Sessions repeat themselves, but of a million there is no room for all.
  struct LookupTable {
    let client: any ImageClient
    private var known: [Asked: Lookups] = [:]

    /// Number of requests read at a time, on all cores.
    static let atOnce = 8192
    private static let mostKnown = 2 * atOnce
    /// Number of requests from which another core pays.
    private static let least = 200

    init(client: any ImageClient) { self.client = client }

    /// Reads requests that are looked up next.
    mutating func read(_ requests: ArraySlice<RecordedRequest>) {
      if known.count > Self.mostKnown { known.removeAll(keepingCapacity: true) }
      var seen: Set<Asked> = []
      let new = requests.filter { known[Asked($0)] == nil && seen.insert(Asked($0)).inserted }
      let client = client
      let made = new.concurrentMap(least: Self.least) { Lookups(of: $0, client) }
      for (request, lookups) in zip(new, made) { known[Asked(request)] = lookups }
    }

    /// - Parameter request: one that was read.
    subscript(request: RecordedRequest) -> Lookups { known[Asked(request)] ?? Lookups(of: request, client) }
  }

  /// What a request looks up, in order.
  struct Lookups: Sendable {
    var form: ChainForm
    var options: RequestOptions
    var steps: [(key: KeySuffix, files: [ByteText])]
    /// The original's file.
    var original: ByteText?
    /// What all requests of a source have in common.
    var base: String
    var label: String
  }
}

extension SessionReplay.Lookups {
  init(of request: RecordedRequest, _ client: any ImageClient) {
    let known = request.id ?? request.url.map { client.baseKey(url: $0, options: .none, stripQuery: []) }
    let reading =
      KeyLimits.isTooLong(request.key)
      ? KeyReading(base: request.key) : client.reading(ofKey: request.key, base: known, scale: nil)
    let chain = Chain(reading.calls)
    form = client.form(of: chain, scale: 1)
    options = .none
    for name in request.options {
      if let field = client.readOptions[name] { options[keyPath: field] = true }
    }
    if client.key(base: reading.base, form.suffix).utf8.elementsEqual(request.key.utf8) {
      steps = client.storage(of: chain, form: form, sourceClass: 0, options: options).lookups.map {
        ($0, Self.files(client.key(base: reading.base, $0), client))
      }
      original = client.fileNames(forKey: reading.base).first.map { ByteText($0) }
      (base, label) = (reading.base, client.processorRows.text(reading.calls))
    } else {
      // What cannot be read is one entry by itself.
      form = client.form(of: .original, scale: 1)
      steps =
        options.noDiskRead || options.skipsOwn ? [] : [(KeySuffix.original, Self.files(request.key, client))]
      (base, label) = (request.key, "")
    }
  }

  private static func files(_ key: String, _ client: any ImageClient) -> [ByteText] {
    let names = client.names(ofKey: key)
    return (names.files.prefix(1) + names.fallbacks).map { ByteText($0) }
  }
}
