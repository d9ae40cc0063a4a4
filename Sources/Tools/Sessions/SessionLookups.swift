import ClientKit
import Text

extension SessionReplay {
  /// What a request looks up, in order.
  struct Lookups {
    var form: ChainForm
    var options: RequestOptions
    var steps: [(key: KeySuffix, files: [ByteText])]
    /// The original's file.
    var original: ByteText?
    /// What all requests of a source have in common.
    var base: String
    var label: String
  }

  /// What requests of one chain and the same options have in common.
  private struct Shape {
    var label: String
    var form: ChainForm
    var options = RequestOptions.none
    var steps: [KeySuffix]
  }

  /// A session has few of them, and a made-up one as many as requests.
  struct Shapes {
    private struct Kind: Hashable {
      var label: ByteText
      var options: [String]
    }

    private let client: any ImageClient
    private var known: [Kind: Shape] = [:]
    private static let mostKnown = 10_000

    init(client: any ImageClient) { self.client = client }

    mutating func lookups(of request: RecordedRequest) -> Lookups {
      let base = request.id ?? request.url.map { client.baseKey(url: $0, options: .none, stripQuery: []) }
      let reading =
        KeyLimits.isTooLong(request.key)
        ? KeyReading(base: request.key) : client.reading(ofKey: request.key, base: base, scale: nil)
      let label = ByteText(client.processorRows.text(reading.calls))
      var shape = shape(Kind(label: label, options: request.options), Chain(reading.calls))
      if client.key(base: reading.base, shape.form.suffix).utf8.elementsEqual(request.key.utf8) {
        return Lookups(
          form: shape.form, options: shape.options,
          steps: shape.steps.map { ($0, files(client.key(base: reading.base, $0))) },
          original: client.fileNames(forKey: reading.base).first.map { ByteText($0) }, base: reading.base,
          label: shape.label)
      }
      // What cannot be read is one entry by itself.
      shape.form = client.form(of: .original, scale: 1)
      let looks = !shape.options.noDiskRead && !shape.options.skipsOwn
      return Lookups(
        form: shape.form, options: shape.options,
        steps: looks ? [(.original, files(request.key))] : [], base: request.key, label: "")
    }

    private mutating func shape(_ kind: Kind, _ chain: Chain) -> Shape {
      if let known = known[kind] { return known }
      if known.count == Self.mostKnown { known = [:] }
      var shape = Shape(label: kind.label.text, form: client.form(of: chain, scale: 1), steps: [])
      for name in kind.options {
        if let field = client.readOptions[name] { shape.options[keyPath: field] = true }
      }
      shape.steps =
        client.storage(of: chain, form: shape.form, sourceClass: 0, options: shape.options).lookups
      known[kind] = shape
      return shape
    }

    private func files(_ key: String) -> [ByteText] {
      let names = client.names(ofKey: key)
      return (names.files.prefix(1) + names.fallbacks).map { ByteText($0) }
    }
  }
}
