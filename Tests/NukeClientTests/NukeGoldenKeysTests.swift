import Foundation
import JobSupport
import TestSupport
import Testing

/// The golden keys again, this time from the text of a job to the plan.
@Suite(.timeLimit(.minutes(10)))
struct GoldenKeysTests {
  @Test func jobsGiveTheKeysOfTheRealLibrary() throws {
    var checked = 0
    for row in try Fixtures.table("nuke-keys.tsv") {
      guard let job = VectorJob(row) else { continue }
      checked += 1
      let planned = Preheat.plan(job.text)
      #expect(planned.errors == [], "\(job.text)")
      let rendition = try #require(planned.plan.map { Array($0.renditions) }?.first, "\(job.text)")
      let key = row["data_cache_key"] == "(empty)" ? "" : row["data_cache_key"]
      #expect(rendition.key == key, "\(job.text)")
      #expect(rendition.fileName == (row["filename_sha1"] == "-" ? nil : row["filename_sha1"]), "\(job.text)")
    }
    // Rows that no job can say (relative URLs, closures, colours without numbers) are covered by the key
    // format's own test.
    #expect(checked > 0)
  }
}

/// A row of the vectors as the job that a person would write for it.
private struct VectorJob {
  var text: String

  init?(_ row: [String: String]) {
    guard var url = row["url"], let version = row["nuke_version"], let scale = row["screen_scale"] else {
      return nil
    }
    var id = row["image_id"] ?? "-"
    // What a closure loads has an ID alone.
    if url.hasPrefix("data-id:") {
      if id == "-" { id = Self.decoded(String(url.dropFirst("data-id:".count))) }
      url = "https://e.com/1.png"
    }
    guard ["http", "HTTP", "data:", "file:"].contains(where: url.hasPrefix) else { return nil }
    var chain: [String] = []
    if let thumbnail = row["thumbnail_spec"], thumbnail != "-" { chain.append(Self.thumbnail(thumbnail)) }
    if let processors = row["processors_spec"], processors != "-" {
      for processor in Self.split(processors) {
        guard let spelled = Self.processor(processor) else { return nil }
        chain += spelled
      }
    }
    var options = ""
    if id != "-" { options = " id=\(Self.quoted(id == "(empty)" ? "" : id))" }
    let client = version.hasPrefix("main") ? "13.2.0" : version
    text = """
      client nuke \(client)
      cache out
      policy automatic
      scale \(scale)
      \(Self.quoted(url)) \(chain.isEmpty ? "original" : chain.joined(separator: " | "))\(options)

      """
  }

  private static func split(_ spec: String) -> [String] {
    var parts: [String] = []
    var depth = 0
    var part = ""
    for character in spec {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if character == "|", depth == 0 {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return parts + [part]
  }

  private static func processor(_ spec: String) -> [String]? {
    let name = String(spec.prefix { !"([".contains($0) })
    let inside = String(spec.dropFirst(name.count + 1).dropLast())
    switch name {
    case "resize":
      return ["resize(\(arguments(inside)))"]
    case "circle":
      return [inside.isEmpty ? "circle" : border(inside).map { "circle(border: \($0))" }].compactMap { $0 }
        .nonEmpty
    case "rounded":
      let parts = inside.split(separator: ",border=").map(String.init)
      guard parts.count > 1 else { return ["roundedCorners(\(arguments(inside)))"] }
      return border("border=" + parts[1]).map { ["roundedCorners(\(arguments(parts[0])), border: \($0))"] }
    case "blur":
      return [inside.isEmpty ? "gaussianBlur" : "gaussianBlur(radius: \(inside))"]
    case "ci":
      let parts = inside.split(separator: ",id=").map(String.init)
      return [
        "coreImage(name: \(parts[0])"
          + (parts.count > 1 ? ", identifier: \(quoted(decoded(parts[1]))))" : ")")
      ]
    case "anon":
      return ["custom(\(quoted(decoded(inside))))"]
    case "comp":
      guard !inside.isEmpty else { return nil }
      let members = split(inside).map(processor)
      return members.contains { $0 == nil } ? nil : members.compactMap { $0 }.flatMap { $0 }
    default: return nil
    }
  }

  private static func arguments(_ spec: String) -> String {
    spec.split(separator: ",").map { argument in
      let parts = argument.split(separator: "=").map(String.init)
      let names = [
        "w": "width", "h": "height", "mode": "contentMode", "r": "radius", "max": "maxPixelSize",
        "absent": "createThumbnailFromImageIfAbsent", "always": "createThumbnailFromImageAlways",
        "transform": "createThumbnailWithTransform", "immediate": "shouldCacheImmediately",
      ]
      let values = [
        "pt": "points", "px": "pixels", "fill": "aspectFill", "fit": "aspectFit",
      ]
      let isFlag = ["crop", "upscale", "absent", "always", "transform", "immediate"].contains(parts[0])
      let value = isFlag ? (parts[1] == "1" ? "true" : "false") : values[parts[1]] ?? parts[1]
      return "\(names[parts[0]] ?? parts[0]): \(value)"
    }.joined(separator: ", ")
  }

  private static func thumbnail(_ spec: String) -> String { "thumbnail(\(arguments(spec)))" }

  private static func border(_ spec: String) -> String? {
    let parts = spec.dropFirst("border=".count).split(separator: ":").map(String.init)
    let components = parts[0].split(separator: "/").map(String.init)
    guard components.count == 4 else { return nil }
    var text = "(color: rgba(\(components.joined(separator: ", ")))"
    if parts.count > 1 { text += ", width: \(parts[1])" }
    if parts.count > 2 { text += ", unit: \(parts[2] == "px" ? "pixels" : "points")" }
    return text + ")"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private static func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
