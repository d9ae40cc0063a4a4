import Pictures

/// What a request stores in a cache, and what it finds there.
package protocol StorageClient: NamedClient {
  /// Sources that are stored alike have the same number.
  func sourceClass(url: String, scheme: SourceScheme) -> Int

  /// Which entries a request leads to, and which it asks for.
  ///
  /// - Parameter options: with the encoding that holds, wherever the job says it.
  func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage

  /// The app's request options that change what is looked up, by their names in the client: what a job says for them.
  var readOptions: [String: any WritableKeyPath<RequestOptions, Bool> & Sendable] { get }

  /// How a result is encoded for an entry.
  func encoding(_ choice: EncodingChoice) -> OutputEncoding

  /// What a request finds, with the reason in words.
  func finding(_ lookup: LookupReport) -> LookupFinding
}

extension StorageClient {
  package func sourceClass(url: String, scheme: SourceScheme) -> Int { 0 }

  package var readOptions: [String: any WritableKeyPath<RequestOptions, Bool> & Sendable] { [:] }
}

extension EncodingChoice {
  /// The encoding that a choice stands for.
  ///
  /// - Parameter usual: the client's own.
  package func output(usual: OutputEncoding) -> OutputEncoding {
    switch self {
    case .client: usual
    // Alpha stays PNG: a round avatar on a white square is never what was meant.
    case .jpeg(let quality): .automatic(jpegQuality: quality)
    case .png: .png
    case .recipe(let recipe): .recipe(recipe)
    }
  }
}

/// What the file of an entry holds.
package enum EntryContent: String, Hashable, Sendable, Codable, CaseIterable {
  /// The bytes as they were downloaded.
  case original
  /// What was drawn, encoded.
  case encoded
  /// The same of all frames of an animated source.
  case frames
}

/// One entry that a request leads to.
package typealias EntryRule = (key: KeySuffix, content: EntryContent)

/// The entries of one request.
package struct EntryStorage: Sendable {
  package var entries: [EntryRule]
  /// What the request asks its cache for, in order; ``ChainForm/lookups`` are those of a request without options.
  package var lookups: [KeySuffix]
  /// What a person should know about it.
  package var note: String?
  /// What is stored of sources of these kinds; of those that are missing it is a still of the first frame.
  package var animated: [AnimatedKind: AnimatedStorage] = [:]

  package init(entries: [EntryRule], lookups: [KeySuffix], note: String? = nil) {
    self.entries = entries
    self.lookups = lookups
    self.note = note
  }

  package var needsDrawing: Bool { entries.contains { $0.content == .encoded } }

  /// What may be stored, whatever the source turns out to be: each key once.
  package var possibleEntries: [EntryRule] {
    var rules = entries
    for animated in animated.values {
      rules += animated.entries.filter { rule in !rules.contains { $0.key == rule.key } }
    }
    return rules
  }
}

/// The entries of a request for an animated source.
package struct AnimatedStorage: Sendable {
  /// None where the client stores nothing.
  package var entries: [EntryRule]
  /// Why, for people: a sentence without a full stop.
  package var reason: String
  /// Drawn on all frames, for an entry that holds them.
  package var steps: [RenderStep]

  /// - Parameter entries: of several of one key the first counts.
  package init(_ entries: [EntryRule], _ reason: String, steps: [RenderStep] = []) {
    self.entries = entries.reduce(into: []) { kept, rule in
      if !kept.contains(where: { $0.key == rule.key }) { kept.append(rule) }
    }
    self.reason = reason
    self.steps = steps
  }
}

/// What lies in a cache folder under a name.
package enum EntryState: String, Sendable, Hashable {
  case absent
  case present
  /// No bytes: a client takes it for a hit and cannot decode it.
  case empty
  /// Something other than a file; no client can read it.
  case unreadable
  /// The date at which the client's entries expire has passed.
  case expired
}

/// What a lookup of one request came upon, for its client to judge: the client's lookups in their order, the original's
/// file (whether the client looks at it or not), and hints of other forms of the request whose entries are there.
package typealias LookupReport = (
  form: ChainForm, options: RequestOptions, steps: [(key: KeySuffix, state: EntryState)],
  original: EntryState?, hints: [String]
)

/// What a request finds in a cache.
package enum LookupOutcome: Sendable, Hashable {
  /// The request's own entry: nothing is left to do but to decode it.
  case exact
  /// An entry from earlier in the chain: the device makes the rest on every launch.
  case partial
  case miss
}

/// What a request finds, and in words why it is a hit or a miss.
package typealias LookupFinding = (outcome: LookupOutcome, reason: String)
