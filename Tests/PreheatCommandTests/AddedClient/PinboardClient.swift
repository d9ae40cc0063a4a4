import ClientKit
import Digests
import Foundation
import Pictures
import Syntax
import Text

/// Its only release.
struct PinboardVersion: ClientVersion {
  static let client = "Pinboard"
  static let newestPatches: KeyValuePairs = [1: [0]]

  let major: Int
  let minor: Int
  let patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }
}

/// An image library that nobody has: one processor, one setting, a folder without expiry and stamp.
struct PinboardClient: ImageClient {
  static let board = SettingKey("board", default: "main")

  static let library = ClientLibrary(
    name: "pinboard", versions: PinboardVersion.self,
    settings: [
      Setting(
        board, SettingType("NAME", .text) { scanner, _ throws(Mistake) in try scanner.wordOrQuoted() },
        in: .all, .job, "the board that the pins are on", example: "board main")
    ]
  ) { version, values in
    PinboardClient(release: Release(version), board: values[board])
  }

  let release: Release
  let board: String

  var identity: CacheClient { CacheClient(name: "pinboard", release: release) }

  // MARK: Chains

  let processorRows = [
    ProcessorRow(KeyRow("shrink", "/w\("width", .number)"), [.needed("width", .number)], "makes a small one")
    {
      values, _ in
      [
        .resize(
          width: values.number("width"), height: 9999, contentMode: .aspectFit, crop: false, upscale: false,
          cropEnlarges: false)
      ]
    }
  ]
  let starter: StarterJob = (
    folder: "pins", scales: nil, thumb: "shrink(width: 32)", card: "shrink(width: 64)"
  )

  func unsupportedReason(_ chain: Chain) -> String? { nil }

  private func widths(_ chain: Chain) -> [Double] { chain.calls.map { $0.values.number("width") } }

  func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let parts = key.components(separatedBy: "/w")
    let calls = parts.dropFirst().map { ProcessorCall("shrink", ["width": .number(Double($0) ?? 0)]) }
    return KeyReading(base: parts[0], calls: calls)
  }

  // MARK: Keys

  func form(of chain: Chain, scale: Double) -> ChainForm {
    let text = widths(chain).map { "/w\(NumberText.plain($0))" }.joined()
    let suffix = KeySuffix(part: chain.calls.isEmpty ? "U" : "U+shrink", text)
    return ChainForm(
      scale: scale, dependsOnScale: false, suffix: suffix, lookups: [suffix],
      drawing: drawing(of: chain.calls, scale: scale))
  }

  func baseKey(url: String, options: RequestOptions, stripQuery: QueryNames) -> String {
    "\(board):\(options.imageID ?? url)"
  }

  func names(ofKey key: String) -> EntryNames { (["pin-" + SHA1.hexadecimal(of: key).prefix(12)], []) }

  // MARK: Entries

  func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage {
    EntryStorage(
      entries: [(form.suffix, chain.calls.isEmpty ? .original : .encoded)], lookups: form.lookups)
  }

  func encoding(_ choice: EncodingChoice) -> OutputEncoding { .png }

  func finding(_ lookup: LookupReport) -> LookupFinding {
    lookup.steps.first?.state == .present
      ? (.exact, "the pin is on the board") : (.miss, "there is no such pin")
  }

  // MARK: The folder

  let folder = FolderRules(sweepKeeps: 0.5)

  func isName(_ name: String, ofKey key: String?) -> Bool {
    key.map { fileNames(forKey: $0) == [name] } ?? (name.hasPrefix("pin-") && name.utf8.count == 16)
  }

  /// The largest first, down to half of the limit.
  func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    var size = files.reduce(0) { $0 + $1.contentSize }
    guard sizeLimit > 0, size > sizeLimit else { return [] }
    var victims: [SweepVictim] = []
    for file in files.sorted(by: { ($0.contentSize, $0.path) > ($1.contentSize, $1.path) }) {
      guard size > sizeLimit / 2 else { break }
      size -= file.contentSize
      victims.append((file, .size))
    }
    return victims
  }

  // MARK: Code

  func code(_ coded: CodedRequest) -> RequestCode {
    let width = widths(coded.chain).first.map { NumberText.plain($0) } ?? "nil"
    return (
      "static func \(coded.name)(_ url: URL) -> Pin { Pin(url, width: \(width)) }", imports: ["Pinboard"],
      accessories: []
    )
  }
}
