import ClientKit
import JobFile
import Syntax
import Text

/// A key without its text: 64 bits, so that a million keys cost little. Where two are equal, the caller compares the
/// keys in full.
struct KeyMark: Hashable {
  fileprivate let bits: Int

  /// What many keys begin with. Its bytes are looked at once, however many suffixes follow.
  struct Base {
    let text: String
    private let hasher: Hasher

    init(_ text: String) {
      self.text = text
      var hasher = Hasher()
      Self.add(text, to: &hasher)
      self.hasher = hasher
    }

    func mark(_ suffix: KeySuffix, of client: any KeyClient) -> KeyMark {
      guard let key = client.joinedKey(base: text, suffix) else { return mark(appending: suffix.text) }
      return Base(key).mark(appending: "")
    }

    /// The parts are never joined.
    private func mark(appending text: String) -> KeyMark {
      var hasher = hasher
      Self.add(text, to: &hasher)
      return KeyMark(bits: hasher.finalize())
    }

    /// Bytes, not characters: keys in different Unicode normal forms are different files. Only the whole key counts.
    private static func add(_ text: String, to hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}

/// The keys of a job's requests and entries.
struct KeyTable: Sendable {
  private var marks: [KeyMark] = []
  private var places = HashPlaces()
  /// Which row has each as its request's own key; -1 for none.
  private(set) var rows: [Int32] = []
  private var isStored: [Bool] = []

  /// A key's number, which stays.
  mutating func number(of mark: KeyMark) -> Int {
    if let known = places.number(mark.bits, where: { marks[$0] == mark }) { return Int(known) }
    marks.append(mark)
    rows.append(-1)
    isStored.append(false)
    return Int(places.add(mark.bits) { marks[$0].bits })
  }

  mutating func ask(_ number: Int, row: Int) { rows[number] = Int32(row) }
  mutating func store(_ number: Int) { isStored[number] = true }

  func row(_ mark: KeyMark) -> Int32? {
    places.number(mark.bits) { marks[$0] == mark }.map { rows[Int($0)] }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Whether a run stores an entry of this key.
  func stores(_ mark: KeyMark) -> Bool {
    places.number(mark.bits) { marks[$0] == mark }.map { isStored[Int($0)] } ?? false
  }

  /// The rows are in another order now, and for a million lines their numbers take much room.
  mutating func forgetRows() { rows = [] }
}

extension Plan {
  /// Finds entries that jobs of one run would write differently into one cache.
  package static func collisions(among plans: [Plan]) -> Diagnostics {
    var diagnostics = Diagnostics()
    let together = Dictionary(grouping: plans) { ByteText($0.settings.cache) }
    for (cache, sharing) in together where sharing.count > 1 {
      if let conflict = Pruning.conflict(sharing) { diagnostics.add(conflict) }
      var makers: [ByteText: (source: String, identity: String, place: String)] = [:]
      for plan in sharing {
        for row in plan.rows {
          let rendition = plan.rendition(at: row)
          let task = plan.task(at: row, session: 0)
          for store in rendition.stores {
            let identity = RenditionTask.identity(
              content: store.content, output: task.output, sha256: task.options.sha256,
              animated: task.animated)
            let maker = (rendition.source, identity, "\(rendition.file):\(rendition.line)")
            guard let first = makers.updateValue(maker, forKey: ByteText(store.fileName)) else { continue }
            guard (first.source, first.identity) != (rendition.source, identity) else { continue }
            diagnostics.add(
              Diagnostic(
                .error, file: rendition.file, line: rendition.line, column: 1,
                message: "this rendition has the same cache key as another one, at \(first.place)",
                help: "both jobs write into \(cache.text); give them caches of their own, or an id="))
          }
        }
      }
    }
    return diagnostics
  }
}
