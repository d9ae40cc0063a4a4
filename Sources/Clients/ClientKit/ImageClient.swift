import FileStore
import Foundation
import Pictures
import Settings
import Syntax
import Text

/// One image library at one release, as one job has set it up. Everything that the rest of the program asks about a
/// client goes through here, in values that know no client.
///
/// A client is a folder of its own under `Sources/Clients` that implements this protocol, and a row in
/// `ClientRegistry`.
package protocol ImageClient: Sendable {
  /// Name and release: `nuke 12.9.0`.
  var identity: CacheClient { get }

  // MARK: Chains as a job spells them

  /// What makes a member of a chain.
  var processors: [ProcessorSpelling] { get }
  /// One member, done right, for advice.
  var processorExample: String { get }

  /// What a member of a chain means, maybe under another identifier; nil with at least one mistake more. What is no
  /// mistake but worth a word goes to `lints`.
  func member(
    _ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake], _ lints: inout [Mistake]
  ) -> ChainMember?

  /// What an author should know of a chain that has a key all the same.
  func lint(of chain: Chain, at offset: Int) -> Mistake?

  /// What an author should know of a source's key.
  func lint(
    ofSource url: String, scheme: SourceScheme, options: RequestOptions, at offset: Int
  ) -> Mistake?

  /// Why an app would not look into a cache folder of this name.
  func lint(ofFolder path: String) -> String?

  /// Why this release has no key for a chain; nil where it has.
  func unsupportedReason(_ chain: Chain) -> String?

  /// What this release does not have of its own settings, or what contradicts the job's screen scales.
  func faults(scales: [Double]) -> [SettingFault]

  // MARK: Keys and file names

  /// A chain at one screen scale: what it adds to a key, what a lookup asks for, how it is drawn.
  func form(of chain: Chain, scale: Double) -> ChainForm

  /// What every key of a request begins with: the URL's own form, or what the app gives in its place.
  func baseKey(url: String, options: RequestOptions, stripQuery: [QueryPattern]) -> String

  /// A whole key, where the client does more than append the suffix to the base key; nil where that is all, so that
  /// nobody makes text that is not needed.
  func joinedKey(base: String, _ suffix: KeySuffix) -> String?

  /// Names of the files that hold an entry, the one that is looked up first; none where the client has none.
  func fileNames(forKey key: String) -> [String]

  /// Names that a lookup tries where there is no file of the first name, in order. Nothing is stored under them.
  func fallbackNames(forKey key: String) -> [String]

  /// Why the client can neither store nor find a key, where that makes the job wrong.
  ///
  /// - Parameter base: the base key that it was made of.
  func fault(ofKey key: String, base: String) -> String?

  /// Which scales a job names whose sizes are in points, where it names none; advice for people. Nil where a picture
  /// has one pixel a point unless somebody says otherwise, so that no scale is missing.
  var scaleAdvice: String? { get }

  /// Pixels a point of a picture's own, which the client reads from the base key and which hold where the job names no
  /// scale; nil for a picture without.
  func ownScale(ofKey base: String) -> Double?

  // MARK: The way back

  /// The request that has a key, as far as the key tells it. It is as good as its proof: a job of it has this very key, or
  /// the reading is none.
  ///
  /// - Parameters:
  ///   - base: what the key begins with, where that is known; else it is found.
  ///   - scale: the screen scale on which it was made, for sizes in points; nil leaves them in pixels.
  func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading

  /// Settings of the client's own that a session's keys give away.
  func settings(readFrom keys: [String]) -> [SettingProposal]

  // MARK: What a request stores and finds

  /// Sources that are stored alike have the same number.
  func sourceClass(url: String, scheme: SourceScheme) -> Int

  /// Which entries a request leads to.
  func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage

  /// What a request with these options asks its cache for, in order; ``ChainForm/lookups`` are those without options.
  func lookups(of chain: Chain, form: ChainForm, options: RequestOptions) -> [KeySuffix]

  /// How a result is encoded for an entry.
  func encoding(_ choice: EncodingChoice) -> OutputEncoding

  /// When an entry expires; nil where the client's entries do not.
  func expiry(_ options: RequestOptions) -> EntryExpiry?

  /// What a request finds, with the reason in words.
  func finding(_ lookup: LookupReport) -> LookupFinding

  /// The same request as it would be built in another way that apps use, for hints.
  func otherForms(of chain: Chain) -> [OtherForm]

  // MARK: The cache folder

  /// Sizes, expiry and sweep of this release's folder.
  var folder: FolderRules { get }

  /// Whether a name has the form of the client's names.
  func isEntryName(_ name: String) -> Bool

  /// Whether a key has this name.
  func isName(_ name: String, ofKey key: String) -> Bool

  /// What has to be done when a cache is finished, so that the app's first launch does it no harm.
  ///
  /// - Parameters:
  ///   - entries: what the run is responsible for, the most urgent first.
  ///   - found: what is in the folder.
  func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep

  /// All that the client's own sweep would see.
  func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile]

  /// What the client's own sweep would remove, in the order of removal.
  ///
  /// - Parameter sizeLimit: bytes; 0 for no limit of the app's own.
  func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim]

  /// Why the app's first launch may sweep the folder although it is fresh; nil where nothing is known against it.
  func stampProblem(in files: FileStore, now: Date) -> String?

  /// The hidden file that joined caches need; nil for none.
  func stamp(joining caches: [FileStore]) -> FolderStamp?

  // MARK: The app's code

  /// What voids a warm cache in an app, for all releases of the library.
  var conditions: [CacheCondition] { get }

  /// A function of the app that makes the request of a chain.
  ///
  /// - Parameters:
  ///   - scales: the job's screen scales.
  ///   - hasIDs: some sources have a key in place of their URL's.
  func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode

  /// The same in Objective-C, with headers in place of modules: a function `NAME(source, view)`, whose source is a
  /// dictionary with `url` and perhaps `id`. Nil for a library that only Swift code can use.
  func objectiveCCode(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode?
}

extension ImageClient {
  /// Words that make a member of a chain.
  package var processorNames: [String] { ProcessorSpelling.names(processors) }

  package func lint(of chain: Chain, at offset: Int) -> Mistake? { nil }
  package func lint(
    ofSource url: String, scheme: SourceScheme, options: RequestOptions, at offset: Int
  ) -> Mistake? { nil }
  package func lint(ofFolder path: String) -> String? { nil }
  package func joinedKey(base: String, _ suffix: KeySuffix) -> String? { nil }
  package func fallbackNames(forKey key: String) -> [String] { [] }
  package var scaleAdvice: String? { "name the screens' scales: scale 2 3, or --scale '2 3'" }
  package func ownScale(ofKey base: String) -> Double? { nil }
  package func faults(scales: [Double]) -> [SettingFault] { [] }
  package func settings(readFrom keys: [String]) -> [SettingProposal] { [] }
  package func fault(ofKey key: String, base: String) -> String? { nil }
  package func sourceClass(url: String, scheme: SourceScheme) -> Int { 0 }
  package func expiry(_ options: RequestOptions) -> EntryExpiry? { nil }
  package func lookups(of chain: Chain, form: ChainForm, options: RequestOptions) -> [KeySuffix] {
    form.lookups
  }
  package func otherForms(of chain: Chain) -> [OtherForm] { [] }

  package func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep {
    FolderUpkeep()
  }

  package func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile] {
    try files.entries().map { SweptFile(entry: $0) }
  }

  package var conditions: [CacheCondition] { [] }

  package func objectiveCCode(
    named name: String, chain: Chain, scales: [Double], hasIDs: Bool
  ) -> RequestCode? {
    nil
  }

  package func stampProblem(in files: FileStore, now: Date) -> String? { nil }
  package func stamp(joining caches: [FileStore]) -> FolderStamp? { nil }

  /// The key of a part of a request.
  package func key(base: String, _ suffix: KeySuffix) -> String {
    joinedKey(base: base, suffix) ?? base + suffix.text
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

/// A setting of the client's own that its release does not have, or that contradicts another.
package struct SettingFault: Sendable, Hashable {
  /// The setting's name.
  package var setting: String
  package var message: String
  package var help: String?

  package init(setting: String, _ message: String, help: String? = nil) {
    self.setting = setting
    self.message = message
    self.help = help
  }
}
