import ClientKit
import Feeds
import Foundation
import Pictures
import Syntax
import Text

/// What a file that is named for a first job holds.
package enum JobMaterial: Sendable, Hashable {
  case lockFile
  /// URLs, one a line.
  case list
  case recording
  case catalogue(FeedFormat)

  /// Says it by the file's name, and where that does not tell, by its first line.
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
    if AppLockFile.formats.contains(where: { path.hasSuffix($0.name) }) {
      self = .lockFile
      return
    }
    let named = FeedFormat(path: path)
    if let named, named != .ndjson {
      self = .catalogue(named)
      return
    }
    let line = try Self.firstLine(of: path, within: roots)
    let isSource = [SourceScheme.http, .https, .file, .data].contains {
      line.starts(with: "\($0.rawValue):".utf8)
    }
    if line.first == UInt8(ascii: "<") {
      throw Mistake(0, "\(Mistake.quote(path)) is not a list of URLs", help: FeedFormat.adviceOnXML)
    }
    if Self.isRecorded(line) {
      self = .recording
    } else if let format = named ?? (isSource ? nil : FeedFormat(lookOf: line)) {
      self = .catalogue(format)
    } else {
      self = .list
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

/// The line that includes a list or a catalogue, as the first rows of the file tell it.
package struct IncludeProposal: Sendable {
  package let path: String
  package let format: FeedFormat?
  package private(set) var options: [(option: FeedOption, text: String)] = []
  /// The field whose value each row has for itself, where a name says so.
  package private(set) var identity: String?
  /// Names of further fields.
  package private(set) var others: [String] = []

  package init(list path: String) { (self.path, format) = (path, nil) }

  /// - Parameter url: the field or the template, where it is given; else it is found.
  package init(
    catalogue path: String, _ format: FeedFormat, url: String?, within roots: TrustedRoots?
  ) throws(Mistake) {
    (self.path, self.format) = (path, format)
    var fields: [FeedOutline.Field]
    do throws(ReadFailure) {
      let descriptor = try LineSource.descriptor(of: path, within: roots)
      do throws(FeedFault) {
        fields = try FeedOutline(CatalogueText(descriptor: descriptor, most: FeedOutline.most), format).fields
      } catch {
        throw ReadFailure(reason: error.message)
      }
    } catch {
      throw Mistake(0, "the catalogue \(Mistake.quote(path)) cannot be read: \(error.reason)")
    }
    fields.removeAll { !Self.isNameable($0.name) }
    if FeedFormat(path: path) != format { options.append((.format, format.rawValue)) }
    let source = fields.map { ($0, FieldRank.source($0)) }.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
    let rows = source?.rows ?? fields.first { url.map($0.isNamed(in:)) ?? false }?.rows
    if let rows { options.append((.rows, rows)) }
    if let text = url ?? source?.name {
      options.append((.url, text))
    } else {
      let names = fields.prefix(12).map { Mistake.quote($0.name) }.joined(separator: ", ")
      throw Mistake(
        0,
        "no field of \(Mistake.quote(path)) has URLs in its first rows"
          + (names.isEmpty ? "" : "; it has \(names)"),
        help: "--url 'https://cdn.example/{sku}.jpg' makes them of a field")
    }
    let siblings = fields.filter { $0.rows == rows && $0.name != source?.name }
    if let rank = siblings.first(where: FieldRank.isPriority) { options.append((.priority, rank.name)) }
    identity = siblings.first(where: FieldRank.isIdentity)?.name
    let used = Set(options.map(\.text) + [identity ?? ""])
    others = siblings.map(\.name).filter { !used.contains($0) }
  }

  /// Whether an option and a comment can hold a name: braces would make a template of it.
  private static func isNameable(_ name: String) -> Bool {
    name.count <= 200 && !name.contains { "{}".contains($0) } && SafeText.escape(name) == name
  }

  /// The same without what its first rows say of an option.
  package func without(_ option: FeedOption) -> IncludeProposal {
    var copy = self
    copy.options.removeAll { $0.option == option }
    return copy
  }

  package func has(_ option: FeedOption) -> Bool { options.contains { $0.option == option } }

  /// `url=image priority=rank`.
  package var optionText: String {
    options.map { Self.text($0.option, $0.text) }.joined(separator: " ")
  }

  /// `id=sku`.
  package var identityText: String? { identity.map { Self.text(.id, $0) } }

  private static func text(_ option: FeedOption, _ value: String) -> String {
    "\(option.rawValue)=\(JobWord.text(value))"
  }

  /// - Parameter path: as seen from the job.
  package func line(of path: String, chains: [String]) -> String {
    let words = ["include", JobWord.text(path), optionText] + chains
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension FeedOutline.Field {
  fileprivate func isNamed(in text: String) -> Bool { name == text || text.contains("{\(name)}") }
}

/// What a field of a catalogue is likely to be, by its name and its first values.
private enum FieldRank {
  private static let pictures = ["image", "img", "picture", "photo", "bild", "foto", "cover", "poster"]
  private static let lesser = ["thumb", "small", "icon", "logo", "additional", "alt"]
  private static let endings = [".jpg"] + ImageFormat.allCases.map { ".\($0.rawValue)" }
  private static let priorities = [
    "priority", "rank", "ranking", "position", "sort", "sort_order", "sortorder",
  ]
  private static let identities = [
    "id", "sku", "product_id", "productid", "item_id", "itemid", "article", "article_number", "ean", "gtin",
    "uuid", "handle", "code", "key",
  ]

  /// More than 0 where the field may be the source; the most where it is likeliest.
  static func source(_ field: FeedOutline.Field) -> Int {
    let web = field.values.filter(isURL)
    guard !web.isEmpty, web.count * 10 >= field.values.count * 9 else { return 0 }
    let drawn = web.count { text in
      let path = text.prefix { $0 != "?" && $0 != "#" }.lowercased()
      return endings.contains { path.hasSuffix($0) }
    }
    let name = field.name.lowercased()
    var rank = 1 + 100 * drawn / web.count
    if pictures.contains(where: name.contains) { rank += 60 }
    if lesser.contains(where: name.contains) { rank -= 30 }
    if ["url", "src", "uri"].contains(where: name.contains) { rank += 10 }
    // A page of the shop is told by its name, unless nothing else has URLs.
    return max(1, rank)
  }

  private static func isURL(_ text: String) -> Bool {
    FeedFormat.isWeb(text) && !text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
  }

  static func isPriority(_ field: FeedOutline.Field) -> Bool {
    priorities.contains(field.lastName) && !field.values.isEmpty
      && field.values.allSatisfy { RequestPriority(feedText: $0) != nil }
  }

  static func isIdentity(_ field: FeedOutline.Field) -> Bool {
    identities.contains(field.lastName) && !field.values.isEmpty
      && Set(field.values).count == field.values.count
  }
}

extension FeedOutline.Field {
  /// `sku` of `sku`, `g:sku` and `/product/sku`.
  fileprivate var lastName: String {
    name.lowercased().split { "/:".contains($0) }.last.map(String.init) ?? ""
  }
}
