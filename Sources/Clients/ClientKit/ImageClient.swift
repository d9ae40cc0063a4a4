import Concurrency
import Pictures
import Syntax
import Text

/// One image library at one release, as one job has set it up. Everything that the rest of the program asks about a
/// client goes through here, in values that know no client.
///
/// A client is a folder of its own under `Sources/Clients` that implements these four protocols, and a row in
/// `ClientRegistry`.
package protocol ImageClient: KeyClient, StorageClient, FolderClient, CodeClient {}

/// What every part of a client knows.
package protocol NamedClient: Sendable {
  /// Name and release: `nuke 12.9.0`.
  var identity: CacheClient { get }
}

/// Chains, and the keys and file names that come of them.
package protocol KeyClient: NamedClient {
  // MARK: Chains as a job spells them

  /// Its processors; all that is said of them elsewhere follows from here.
  var processorRows: [ProcessorRow] { get }
  /// What a first job says by default.
  var starter: StarterJob { get }

  /// What an author should know of something that is not a mistake.
  func lint(_ subject: LintSubject, at offset: Int) -> Mistake?

  /// Why this release has no key for a chain; nil where it has.
  func unsupportedReason(_ chain: Chain) -> String?

  /// What this release does not have of its own settings, or what contradicts the job's screen scales.
  func faults(scales: [Double]) -> [SettingFault]

  // MARK: Keys and file names

  /// A chain at one screen scale: what it adds to a key, what a lookup asks for, how it is drawn.
  func form(of chain: Chain, scale: Double) -> ChainForm

  /// What every key of a request begins with: the URL's own form, or what the app gives in its place.
  func baseKey(url: String, options: RequestOptions, stripQuery: QueryNames) -> String

  /// A whole key, where the client does more than append the suffix to the base key; nil where that is all, so that
  /// text is made only where it is needed.
  func joinedKey(base: String, _ suffix: KeySuffix) -> String?

  /// Names of the files of a key.
  func names(ofKey key: String) -> EntryNames

  /// Why the client can neither store nor find a key, where that makes the job wrong.
  ///
  /// - Parameter base: the base key that it was made of.
  func fault(ofKey key: String, base: String) -> String?

  /// Pixels a point of a picture, where the job names no scale.
  ///
  /// - Parameter base: what the picture's keys begin with.
  func scale(ofKey base: String) -> PictureScale

  // MARK: The way back

  /// The request that has a key, as far as the key tells it. It is as good as its proof: a job of it has this very key, or
  /// the reading fails.
  ///
  /// - Parameters:
  ///   - base: what the key begins with, where that is known; else it is found.
  ///   - scale: the screen scale on which it was made, for sizes in points; nil leaves them in pixels.
  func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading

  /// Settings of the client's own that a session's keys give away.
  func settings(readFrom keys: [String]) -> [SettingProposal]
}

extension KeyClient {
  /// How a job writes each of them, and what it does.
  package var processorUsages: [(usage: String, summary: String)] {
    processorRows.map { ($0.usage, $0.summary) } + [
      (
        "custom(\"TEXT\")",
        "a processor of the app's own, by its identifier: its key is known, nothing is drawn"
      )
    ]
  }

  /// What a member of a chain means, maybe under another identifier; nil with at least one mistake more. What is not a
  /// mistake but deserves a warning goes to `lints`.
  package func member(
    _ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake], _ lints: inout [Mistake]
  ) -> ProcessorCall? {
    guard let call = processorRows.call(syntax, &mistakes) else { return nil }
    // Under an identifier of its own nothing of the processor is in the key.
    if call.identifier == nil, let lint = processorRows.row(of: call)?.lint(call.values, self) {
      lints.append(Mistake(syntax.offset, lint.message, help: lint.help))
    }
    return call
  }

  package func lint(_ subject: LintSubject, at offset: Int) -> Mistake? { nil }
  package func faults(scales: [Double]) -> [SettingFault] { [] }

  /// - Parameter title: the library as people write it.
  package func severalScales(_ scales: [Double], _ title: String) -> [SettingFault] {
    let mistake = Mistake(
      0, "\(title)'s keys do not hold the scale, so several would share one file",
      help: "scale 2; or a job and a cache folder for each scale")
    return scales.count > 1 ? [("scale", mistake)] : []
  }

  package func baseKey(url: String, options: RequestOptions, stripQuery: QueryNames) -> String {
    options.imageID ?? stripQuery.strip(url)
  }
  package func joinedKey(base: String, _ suffix: KeySuffix) -> String? { nil }
  package func fault(ofKey key: String, base: String) -> String? { nil }
  package func scale(ofKey base: String) -> PictureScale {
    .unknown(advice: "name the screens' scales: scale 2 3, or --scale '2 3'")
  }
  package func settings(readFrom keys: [String]) -> [SettingProposal] { [] }

  /// Whether only this machine has a key: it is made of a file's path, which is another one on a device.
  package func isLocal(key: String) -> Bool {
    key.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("file:".utf8) || lint(.key(key), at: 0) != nil
  }

  /// The key of a part of a request.
  package func key(base: String, _ suffix: KeySuffix) -> String {
    joinedKey(base: base, suffix) ?? base + suffix.text
  }

  /// Names of the files that hold an entry, the one that is looked up first; none where the client has none.
  package func fileNames(forKey key: String) -> [String] { names(ofKey: key).files }

  /// How a chain is drawn at a screen scale.
  package func drawing(of calls: [ProcessorCall], scale: Double) -> ChainForm.Drawing {
    processorRows.drawing(
      of: calls, KeyContext(release: identity.release, scale: scale), example: starter.card)
  }

  /// The forms of a chain, one for each scale that makes a difference.
  package func forms(of chain: Chain, scales: [Double]) -> [ChainForm] {
    var forms: [ChainForm] = []
    for scale in scales {
      let form = form(of: chain, scale: scale)
      if !forms.contains(where: { $0.suffix == form.suffix && $0.drawing == form.drawing }) {
        forms.append(form)
      }
    }
    return forms
  }
}

/// What a client's first job says until it is edited: the cache folder as an app has it that names none, the scales of the
/// screens (nil where an app that says nothing has 1), a small picture, and one that is as wide as a screen.
package typealias StarterJob = (folder: String, scales: String?, thumb: String, card: String)

/// What a client may have advice about.
package enum LintSubject: Sendable {
  /// A key that is not a file's URL: whether it is made of a path of this machine.
  case key(String)
  /// A chain that has a key all the same.
  case chain(Chain)
  case source(url: String, SourceScheme, RequestOptions)
  /// The cache folder's path: why an app would not look into it.
  case folder(String)
  /// All lines of the job make nothing but originals.
  case originalsAlone
}

/// File names of one key.
///
/// Those of the files that hold an entry, the one that is looked up first, none where the client has none; and what a
/// lookup tries where there is no file of the first name, in order. Nothing is stored under the fallbacks.
package typealias EntryNames = (files: [String], fallbacks: [String])

/// Pixels a point of a picture, where the job names no scale.
package enum PictureScale: Sendable, Hashable {
  /// The client reads it from the key, or has one pixel a point unless the app says otherwise.
  case known(Double)
  /// The device decides. The advice for people says which scales a job names.
  case unknown(advice: String)
}

/// A setting of the client's own that its release does not have, or that contradicts another, by its name.
package typealias SettingFault = (setting: String, mistake: Mistake)

/// A request as its cache key tells it: the way back from ``KeyClient/baseKey(url:options:stripQuery:)`` and
/// ``ChainForm/suffix``.
package struct KeyReading: Hashable, Sendable {
  /// What the key begins with: a URL's text, or what the app gave in its place.
  package var base: String
  /// The chain; empty for the original.
  package var calls: [ProcessorCall]

  package init(base: String, calls: [ProcessorCall] = []) {
    self.base = base
    self.calls = calls
  }

  /// Whether parts of the key say nothing to this client: the app's own processors, or another release's words. Each
  /// stands as `custom("...")` in the chain.
  package var hasUnknown: Bool { calls.contains(where: \.isCustom) }
}

/// What a client has read last: a session has few different chains, and each is in many keys.
package final class LastReadings: Sendable {
  private struct Reading {
    var text: ArraySlice<UInt8>
    var context: KeyContext
    var call: ProcessorCall?
    var length: Int
  }

  private let last = Locked<[Reading]>([])

  package init() {}

  /// The processor whose key comes next, as `rows` reads it; other rows have another context.
  package func read(_ scanner: inout KeyScanner, _ rows: [KeyRow], _ context: KeyContext) -> ProcessorCall? {
    let (text, start) = (scanner.rest, scanner.position)
    if let known = last.withLock({ $0.first { $0.context == context && $0.text == text } }) {
      scanner.move(to: start + known.length)
      return known.call
    }
    let call = rows.read(&scanner, context)
    let reading = Reading(text: text, context: context, call: call, length: scanner.position - start)
    last.withLock { $0 = $0.suffix(7) + [reading] }
    return call
  }
}

/// A setting of a job that keys give away, and why, in words.
package typealias SettingProposal = (name: String, value: String, reason: String)
