import ClientKit
import FileStore
import JobFile
import Planning
import Syntax
import Text

/// The jobs that made a cache, as far as they can still be read: what they name needs no other job line.
struct ReplayedJobs {
  struct Name: Hashable {
    var chain: String
    /// Nil where it makes no difference.
    var scale: Double?
  }

  /// Their paths.
  private(set) var paths: [String] = []
  /// All files that they may store.
  private var files: Set<ByteText> = []
  /// The chains of their keys, as a job without names spells them.
  private(set) var names: [ByteText: Name] = [:]
  /// The chains as the jobs themselves spell them.
  private(set) var chains: [ByteText: String] = [:]

  /// - Parameter names: of jobs, as seen from the cache folder.
  init(_ names: Set<String>, of cache: ReplayedCache) {
    var given = GivenSettings()
    given.readsVariables = false
    for path in names.sorted().map({ PathText.absolute($0, in: PathText.absolute(cache.path)) }) {
      guard let plan = Plan.make(.file(path), given).plan,
        plan.client.identity.name == cache.client.identity.name
      else { continue }
      paths.append(path)
      files.formUnion(Plan.files(of: [plan]))
      let rows = cache.client.processorRows
      for variant in plan.variants {
        let (chain, form) = (plan.chains[variant.chain], variant.form)
        // The name of a chain has no parentheses, and what has no name is its own.
        guard !chain.chain.calls.isEmpty, chain.label.utf8.allSatisfy(LineScanner.isName) else { continue }
        let key = plan.client.key(base: Self.base, form.suffix)
        let read = cache.client.reading(ofKey: key, base: Self.base, scale: nil).calls
        let name = Name(chain: chain.label, scale: form.dependsOnScale ? form.scale : nil)
        if self.names[ByteText(rows.text(read))] == nil { self.names[ByteText(rows.text(read))] = name }
        chains[ByteText(rows.text(chain.chain.calls))] = chain.label
      }
    }
  }

  private static let base = "https://img.example.com/1.jpg"

  /// Whether they store an entry under one of these names.
  func store(_ names: [ByteText]) -> Bool { names.contains(where: files.contains) }

  /// A job line in the words of the jobs.
  func spelled(_ line: String) -> String {
    var line = line
    for (text, name) in chains.sorted(by: { $0.key.text.utf8.count > $1.key.text.utf8.count }) {
      for end in [" ", ""] where !end.isEmpty || line.hasSuffix(" " + text.text) {
        line = line.replacing(" \(text.text)\(end)", with: " \(name)\(end)")
      }
    }
    return line
  }
}
