import ClientKit
import Text

extension SessionReplay {
  /// What a request looks up, in order.
  struct Lookups {
    /// What it looks up of any source.
    struct Shape {
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
