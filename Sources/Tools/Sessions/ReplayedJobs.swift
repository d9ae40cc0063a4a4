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

  /// All files that they may store.
  private var files: Set<ByteText> = []
  /// The chains of their keys, as a job without names spells them.
  private(set) var names: [ByteText: Name] = [:]
  /// The chains as the jobs themselves spell them, the longest first, and their names.
  private var chains: [(text: String, name: String)] = []

  /// - Parameter names: of jobs, as seen from the cache folder.
  init(_ names: Set<String>, of cache: ReplayedCache) {
    var given = GivenSettings()
    given.readsVariables = false
    var chains: [ByteText: String] = [:]
    for path in names.sorted().map({ PathText.absolute($0, in: PathText.absolute(cache.path)) }) {
      guard let plan = Plan.make(.file(path), given).plan,
        plan.client.identity.name == cache.client.identity.name
      else { continue }
      files.formUnion(Plan.files(of: [plan]))
      let rows = cache.client.processorRows
      for variant in plan.variants {
        let (chain, form) = (plan.chains[variant.chain], variant.form)
        // The name of a chain has no parentheses, and what has no name is its own.
        guard !chain.chain.calls.isEmpty, chain.label.utf8.allSatisfy(LineScanner.isName) else { continue }
        let key = plan.client.key(base: Self.base, form.suffix)
        let read = cache.client.reading(ofKey: key, base: Self.base, scale: nil).calls
        let name = Name(chain: chain.label, scale: form.dependsOnScale ? form.scale : nil)
        self.names.merge([ByteText(rows.text(read)): name]) { first, _ in first }
        chains[ByteText(rows.text(chain.chain.calls))] = chain.label
      }
    }
    self.chains = chains.map { ($0.text, $1) }.sorted { $0.text.utf8.count > $1.text.utf8.count }
  }

  private static let base = "https://img.example.com/1.jpg"

  /// Whether they store an entry under one of these names.
  func store(_ names: [ByteText]) -> Bool { names.contains(where: files.contains) }

  /// A job line in the words of the jobs.
  func spelled(_ line: String) -> String {
    chains.reduce(line + " ") { $0.replacing(" \($1.text) ", with: " \($1.name) ") }.dropLast().description
  }
}
