import ClientKit
import Feeds
import Foundation
import Pictures
import Syntax
import Text

/// What a file that is named for a first job holds.
package enum JobMaterial: Sendable, Hashable {
  case lockFile
  case recording
  /// A catalogue, or a list of URLs, one a line.
  case sources(FeedFormat?)

  /// Goes by the file's name, and where that does not decide, by its first line.
  package init(of path: String, within roots: TrustedRoots?) throws(Mistake) {
    guard QuotedText.holds(path) else {
      throw Mistake(0, "\(Mistake.quote(path)) has a line end in its name")
    }
    if FeedFormat.isWeb(path) {
      throw Mistake(
        0,
        "\(Mistake.quote(URLRedaction.redacted(path))) is on a server, and nothing is asked of the network",
        help: "take a copy of it for this; the job's include line may have the URL then")
    }
    let named = FeedFormat(path: path)
    if AppLockFile.names.contains(where: path.hasSuffix) {
      self = .lockFile
    } else if let named, named != .ndjson {
      self = .sources(named)
    } else {
      let line = try Self.firstLine(of: path, within: roots)
      if line.first == UInt8(ascii: "<") {
        throw Mistake(0, "\(Mistake.quote(path)) is not a list of URLs", help: FeedFormat.adviceOnXML)
      }
      let isURL = [SourceScheme.http, .https, .file, .data].contains {
        line.starts(with: "\($0.rawValue):".utf8)
      }
      self =
        Self.isRecorded(line)
        ? .recording : .sources(named ?? (isURL ? nil : FeedFormat(lookOf: line)))
    }
  }

  private static func firstLine(
    of path: String, within roots: TrustedRoots?
  ) throws(Mistake) -> ArraySlice<UInt8> {
    do throws(ReadFailure) {
      var reader = try LineReader(descriptor: LineSource.descriptor(of: path, within: roots))
      while let line = try reader.next() {
        guard case .text(let bytes) = line else {
          throw ReadFailure(reason: "its first line is longer than 1 MiB")
        }
        let text = bytes.drop(while: LineScanner.isSpace)
        if let first = text.first, first != UInt8(ascii: "#") { return text }
      }
      throw ReadFailure(reason: "it is empty")
    } catch {
      throw Mistake(0, "\(Mistake.quote(path)) cannot be read: \(error.reason)")
    }
  }

  /// A line of a recorder. A catalogue may have a field `key`, too, but others beside it.
  private static func isRecorded(_ line: ArraySlice<UInt8>) -> Bool {
    let known: Set = ["v", "type", "key", "url", "id", "at", "found", "options"]
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      object["key"] is String
    else { return false }
    return object["type"] as? String == "request" || known.isSuperset(of: object.keys)
  }
}

/// Text that is one word of a line.
package enum JobWord {
  package static func text(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.contains { " \t\"#\\".contains($0) }
    return isPlain ? text : QuotedText.quoted(text)
  }
}

/// The line that includes a list or a catalogue, as the first rows of the file suggest it.
package struct IncludeProposal: Sendable {
  package let path: String
  /// Nil for a list.
  package let format: FeedFormat?
  package var options: [(option: FeedOption, text: String)] = []
  /// The field whose value each row has for itself, where a name says so.
  package private(set) var identity: String?
  /// Names of further fields.
  package private(set) var others: [String] = []
  /// Fields that have pictures too, each with what stands between its URLs.
  private var further: [(url: String, split: String?)] = []
  /// The first line that is not UTF-8.
  private var damagedLine: Int?

  /// - Parameter url: the field or the template that the command line names; nil where it is to be found.
  package init(
    _ path: String, _ format: FeedFormat?, url: String?, within roots: TrustedRoots?
  ) throws(Mistake) {
    (self.path, self.format) = (path, format)
    guard let format else { return }
    let (fields, damaged) = try Self.fields(of: path, format, within: roots)
    damagedLine = damaged
    let source = fields.filter { $0.sourceRank > 0 }.max { $0.sourceRank < $1.sourceRank }
    let named = fields.first { $0.name == url || url?.contains("{\($0.name)}") ?? false }
    let rows = source?.rows ?? named?.rows
    guard let text = url ?? source?.name else {
      let names = fields.prefix(12).map { Mistake.quote($0.name) }.joined(separator: ", ")
      throw Mistake(
        0,
        "no field of \(Mistake.quote(path)) has URLs in its first rows"
          + (names.isEmpty ? "" : "; it has \(names)"),
        help: "--url 'https://cdn.example/{sku}.jpg' makes them of a field")
    }
    let siblings = fields.filter { $0.rows == rows && $0.name != source?.name }
    if FeedFormat(path: path) != format { options.append((.format, format.rawValue)) }
    if let rows { options.append((.rows, rows)) }
    options.append((.url, text))
    if let separator = source?.separator, text == source?.name { options.append((.split, separator)) }
    further = fields.filter {
      $0.rows == rows && $0.hasPictures && !($0.name == text || text.contains("{\($0.name)}"))
    }
    .prefix(8).map { ($0.name, $0.separator) }
    if let rank = siblings.first(where: \.isPriority) { options.append((.priority, rank.name)) }
    identity = siblings.first(where: \.isIdentity)?.name
    let used = options.map(\.text) + further.map(\.url) + [identity]
    others = siblings.map(\.name).filter { !used.contains($0) }
  }

  private static func fields(
    of path: String, _ format: FeedFormat, within roots: TrustedRoots?
  ) throws(Mistake) -> ([FeedOutline.Field], damagedLine: Int?) {
    var reason: String
    do throws(ReadFailure) {
      func text() throws(ReadFailure) -> CatalogueText {
        try CatalogueText(descriptor: LineSource.descriptor(of: path, within: roots), most: FeedOutline.most)
      }
      let (once, again) = (try text(), try text())
      do throws(FeedFault) {
        // An option and a comment have to hold a name, and braces would make a template of it.
        let outline = try FeedOutline(once, format)
        let fields = outline.fields.filter { field in
          field.name.count <= 200 && !field.name.contains { "{}".contains($0) }
            && SafeText.escape(field.name) == field.name
        }
        return (fields, try again.firstLineThatIsNotUTF8())
      } catch { reason = error.message }
    } catch { reason = error.reason }
    throw Mistake(0, "the catalogue \(Mistake.quote(path)) cannot be read: \(reason)")
  }

  /// Remarks about the file.
  package var remarks: [String] {
    let damage = damagedLine.map {
      "line \($0) is not UTF-8; plain CSV of Excel is Windows-1252: save it as CSV UTF-8, or names and URLs "
        + "with other letters than English ones are wrong"
    }
    let fields = further.map { Mistake.quote($0.url) }.joined(separator: ", ")
    let several =
      further.isEmpty
      ? nil : "\(fields) \(further.count == 1 ? "has" : "have") pictures too, for which the job has a comment"
    return [damage, several].compactMap { $0 }
  }

  /// The same for the pictures of other fields.
  package func furtherLines(of path: String, chains: [String]) -> [String] {
    further.map { field in
      var other = self
      other.options = options.filter { ![.url, .split, .priority].contains($0.option) } + [(.url, field.url)]
      if let split = field.split { other.options.append((.split, split)) }
      return other.line(of: path, chains: chains)
    }
  }

  /// `url=image priority=rank`.
  package var optionText: String { options.map(Self.text).joined(separator: " ") }

  /// `id=sku`.
  package var identityText: String? { identity.map { Self.text(.id, $0) } }

  private static func text(_ option: FeedOption, _ value: String) -> String {
    // A chain has the sign | too.
    "\(option.rawValue)=\(option == .split ? QuotedText.quoted(value) : JobWord.text(value))"
  }

  /// - Parameter path: as seen from the job.
  package func line(of path: String, chains: [String]) -> String {
    let words = ["include", JobWord.text(path), optionText] + chains
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// What a field of a catalogue is likely to be, by its name and its first values.
extension FeedOutline.Field {
  /// Positive where the field may be the source; the highest is the likeliest.
  fileprivate var sourceRank: Int {
    let filled = values.filter { !$0.isEmpty }
    let pieces = filled.flatMap { value in
      guard let separator else { return [value] }
      return Array(value.utf8)[...].parts(between: SeveralURLs.bytes(ofSeparator: separator), most: 100).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let web = pieces.filter { text in FeedFormat.isWeb(text) && !text.utf8.contains { $0 <= 0x20 } }
    guard !web.isEmpty, web.count * 10 >= pieces.count * 9 else { return 0 }
    let endings = [".jpg"] + ImageFormat.allCases.map { ".\($0.rawValue)" }
    let drawn = web.count { text in
      let path = text.prefix { $0 != "?" && $0 != "#" }.lowercased()
      return endings.contains { path.hasSuffix($0) }
    }
    func has(_ words: String) -> Bool {
      words.split(separator: " ").contains { name.lowercased().contains($0) }
    }
    var rank = 1 + 100 * drawn / web.count
    if has("image img picture photo bild foto cover poster") { rank += 60 }
    if has("thumb small icon logo additional alt") { rank -= 30 }
    if has("url src uri") { rank += 10 }
    // Further pictures of a product stand in columns that most rows leave empty.
    if filled.count * 10 < values.count * 9 { rank -= 20 }
    // Where nothing else has URLs, pages of the shop are the sources.
    return max(1, rank)
  }

  fileprivate var hasPictures: Bool { sourceRank > 40 }

  /// Of its values, where one holds several URLs.
  fileprivate var separator: String? {
    values.lazy.compactMap { SeveralURLs.separator(in: Array($0.utf8)[...]) }.first
  }

  fileprivate var isPriority: Bool {
    isNamed("priority rank ranking position sort sort_order sortorder") && !values.isEmpty
      && values.allSatisfy { RequestPriority(feedText: $0) != nil }
  }

  fileprivate var isIdentity: Bool {
    let names =
      "id sku product_id productid item_id itemid article article_number ean gtin uuid handle code key"
    return isNamed(names) && !values.isEmpty && Set(values).count == values.count
  }

  /// Whether a word is the last part of the name: `sku` of `sku`, `g:sku` and `/product/sku`.
  private func isNamed(_ words: String) -> Bool {
    guard let last = name.lowercased().split(whereSeparator: { "/:".contains($0) }).last else { return false }
    return words.split(separator: " ").contains(last)
  }
}
