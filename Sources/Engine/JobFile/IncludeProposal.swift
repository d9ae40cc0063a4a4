import Feeds
import Foundation
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
      self = Self.isRecorded(try Self.firstLine(of: path, within: roots)) ? .recording : .sources(named)
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
      object["key"] is String || object["pipelineID"] is String
    else { return false }
    // A client's own record of a task has no key.
    return object["key"] == nil || object["type"] as? String == "request" || known.isSuperset(of: object.keys)
  }
}

/// The line that includes a list or a catalogue.
package struct IncludeProposal: Sendable {
  package let path: String
  /// Nil for a list.
  package let format: FeedFormat?
  /// `rows=/products url=image`.
  package private(set) var optionText = ""

  /// - Parameter url: the field or the template that the command line names; nil for the first field of the catalogue
  ///   whose values are URLs, those of pictures before others.
  package init(
    _ path: String, _ format: FeedFormat?, url: String?, within roots: TrustedRoots?
  ) throws(Mistake) {
    (self.path, self.format) = (path, format)
    guard let format else { return }
    let fields = url == nil || format == .json ? try Self.fields(of: path, format, within: roots) : []
    let found = fields.first { $0.name == url } ?? fields.first { Self.isPicture($0.name) } ?? fields.first
    guard let name = url ?? found?.name else {
      throw Mistake(
        0, "no field of \(Mistake.quote(path)) has URLs in its first rows",
        help: "--url image, or --url 'https://cdn.example/{sku}.jpg', which makes them of a field")
    }
    optionText = (found?.rows.map { "rows=\(JobWord.text($0)) " } ?? "") + "url=\(JobWord.text(name))"
  }

  private static func fields(
    of path: String, _ format: FeedFormat, within roots: TrustedRoots?
  ) throws(Mistake) -> [FeedSample.Field] {
    var reason: String
    do throws(ReadFailure) {
      let text = CatalogueText(descriptor: try LineSource.descriptor(of: path, within: roots))
      // An option has to hold a name, and braces would make a template of it.
      do throws(FeedFault) {
        return try FeedSample.fieldsOfURLs(in: text, format).filter { field in
          [field.name, field.rows ?? ""].allSatisfy { name in
            name.count <= 200 && !name.contains { "{}".contains($0) } && SafeText.escape(name) == name
          }
        }
      } catch { reason = error.message }
    } catch { reason = error.reason }
    throw Mistake(0, "the catalogue \(Mistake.quote(path)) cannot be read: \(reason)")
  }

  private static func isPicture(_ name: String) -> Bool {
    ["image", "img", "picture", "photo", "src"].contains { name.lowercased().contains($0) }
  }

  /// - Parameter path: as seen from the job.
  package func line(of path: String, chains: [String]) -> String {
    (["include", JobWord.text(path), optionText] + chains).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
