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
    /// What the requests of a chain have in common: sessions have far fewer chains than keys.
    private var shapes: [ChainUse: Lookups.Shape] = [:]

    /// Number of requests read at a time, on all cores.
    static let atOnce = 8192
    private static let mostKnown = 2 * atOnce
    /// Number of requests from which another core pays.
    private static let least = 200

    /// A chain as it stands in keys, with the options of a request.
    private struct ChainUse: Hashable {
      var calls: [ProcessorCall]
      var options: [String]
    }

    init(client: any ImageClient) { self.client = client }

    /// Reads requests that are looked up next.
    mutating func read(_ requests: ArraySlice<RecordedRequest>) {
      if known.count > Self.mostKnown { known.removeAll(keepingCapacity: true) }
      if shapes.count > Self.mostKnown { shapes.removeAll(keepingCapacity: true) }
      var seen: Set<Asked> = []
      let new = requests.filter { known[Asked($0)] == nil && seen.insert(Asked($0)).inserted }
      let client = client
      let readings = new.concurrentMap(least: Self.least) { Lookups.reading(of: $0, client) }
      let uses = zip(readings, new).map { ChainUse(calls: $0.calls, options: $1.options) }
      let newUses = Array(Set(uses).subtracting(shapes.keys))
      let newShapes = newUses.concurrentMap(least: Self.least) {
        Lookups.Shape(of: $0.calls, $0.options, client)
      }
      for (use, shape) in zip(newUses, newShapes) { shapes[use] = shape }
      let shapes = shapes
      let made = Array(new.indices).concurrentMap(least: Self.least) { index in
        shapes[uses[index]].map { Lookups(of: new[index], readings[index].base, $0, client) }
      }
      for (request, lookups) in zip(new, made) { known[Asked(request)] = lookups }
    }

    /// - Parameter request: one that was read; of others only the key counts.
    subscript(request: RecordedRequest) -> Lookups {
      known[Asked(request)] ?? Lookups(of: request, request.key, .init(of: [], [], client), client)
    }
  }

  /// What a request looks up, in order.
  struct Lookups: Sendable {
    /// What it looks up of any source.
    struct Shape: Sendable {
      var form: ChainForm
      var options: RequestOptions
      var suffixes: [KeySuffix]
      var label: String
    }

    var form: ChainForm
    var options: RequestOptions
    var steps: [(key: KeySuffix, files: [String])]
    /// The original's file.
    var original: String?
    /// What all requests of a source have in common.
    var base: String
    var label: String
  }
}

extension SessionReplay.Lookups {
  static func reading(of request: RecordedRequest, _ client: any ImageClient) -> KeyReading {
    let known = request.id ?? request.url.map { client.baseKey(url: $0, options: .none, stripQuery: []) }
    return KeyLimits.isTooLong(request.key)
      ? KeyReading(base: request.key) : client.reading(ofKey: request.key, base: known, scale: nil)
  }

  init(of request: RecordedRequest, _ base: String, _ shape: Shape, _ client: any ImageClient) {
    guard client.key(base: base, shape.form.suffix).utf8.elementsEqual(request.key.utf8) else {
      // What cannot be read is one entry by itself.
      self.init(
        form: client.form(of: .original, scale: 1), options: shape.options,
        steps: shape.options.noDiskRead ? [] : [(KeySuffix.original, Self.files(request.key, client))],
        original: nil,
        base: request.key, label: "")
      return
    }
    self.init(
      form: shape.form, options: shape.options,
      steps: shape.suffixes.map { ($0, Self.files(client.key(base: base, $0), client)) },
      original: client.fileNames(forKey: base).first, base: base, label: shape.label)
  }

  private static func files(_ key: String, _ client: any ImageClient) -> [String] {
    let names = client.names(ofKey: key)
    return names.files.prefix(1) + names.fallbacks
  }
}

extension SessionReplay.Lookups.Shape {
  init(of calls: [ProcessorCall], _ names: [String], _ client: any ImageClient) {
    let chain = Chain(calls)
    form = client.form(of: chain, scale: 1)
    options = .none
    for name in names {
      if let field = client.readOptions[name] { options[keyPath: field] = true }
    }
    suffixes = client.storage(of: chain, form: form, sourceClass: 0, options: options).lookups
    label = client.processorRows.text(calls)
  }
}
