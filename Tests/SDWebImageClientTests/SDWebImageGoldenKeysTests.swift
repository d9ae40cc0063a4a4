import JobSupport
import TestSupport
import Testing

/// SDWebImage's golden keys again, this time from the text of a job to the plan.
@Suite("SDWebImage's golden keys in jobs", .timeLimit(.minutes(10)))
struct SDWebImageGoldenKeysTests {
  @Test func jobsGiveTheKeysOfTheVectors() throws {
    let rows = try Fixtures.table("sdwebimage-keys.tsv")
    var planned = 0
    for row in rows where row["url"]?.hasPrefix("http") == true {
      let job = try SDWebImageVectorJob(row).text
      let result = Preheat.plan(job)
      #expect(result.errors == [], "\(job)")
      let rendition = try #require(result.plan.map { Array($0.renditions) }?.first, "\(job)")
      #expect(row["cache_key"].map { Array($0.utf8) } == Array(rendition.key.utf8), "\(job)")
      #expect(rendition.fileName == row["filename"], "\(job)")
      planned += 1
    }
    #expect(planned >= rows.count - 1, "only ftp is no source of a job")
  }
}

/// A row of the vectors as the job that a person would write for it.
struct SDWebImageVectorJob {
  var text: String

  struct Malformed: Error {
    var text: String
  }

  init(_ row: [String: String]) throws {
    func column(_ name: String) throws -> String {
      guard let text = row[name] else { throw Malformed(text: name) }
      return text
    }
    var chain: [String] = []
    let thumbnail = try column("thumbnail")
    if thumbnail != "-" {
      let parts = thumbnail.split(separator: ",")
      let preserves = parts[1] == "1" ? "" : ", preserveAspectRatio: false"
      chain.append("thumbnail(size: \(parts[0])\(preserves))")
    }
    let spec = try column("transformer")
    if spec != "-" { chain += try spec.split(separator: "|").map { try Self.member(String($0)) } }
    let base = try column("base_key")
    let id = base == "-" ? "" : " id=\(Self.quoted(base))"
    text = """
      client sdwebimage \(try column("sd_version"))
      cache out
      \(Self.quoted(try column("url"))) \(chain.isEmpty ? "original" : chain.joined(separator: " | "))\(id)

      """
  }

  private static func member(_ spec: String) throws -> String {
    let name = spec.prefix { $0 != "(" }
    let inside = spec.dropFirst(name.count + 1).dropLast()
    if name == "custom" { return "custom(\(quoted(String(inside.dropFirst("key=".count)))))" }
    let words: [String: (name: String, labels: [String: String])] = [
      "resize": ("resize", ["size": "size", "mode": "scaleMode"]), "crop": ("crop", ["rect": "rect"]),
      "round": (
        "roundCorner", ["r": "radius", "corners": "corners", "bw": "borderWidth", "bc": "borderColor"]
      ),
      "flip": ("flip", ["h": "horizontal", "v": "vertical"]),
      "rotate": ("rotate", ["angle": "angle", "fit": "fitSize"]), "blur": ("blur", ["r": "radius"]),
      "filter": ("filter", ["name": "name"]), "tint": ("tint", ["c": "color", "mode": "blendMode"]),
      "tint0": ("tint", ["c": "color"]),
    ]
    guard let word = words[String(name)] else { throw Malformed(text: spec) }
    let arguments = try inside.split(separator: ";").map { field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let label = word.labels[parts[0]] else { throw Malformed(text: spec) }
      return "\(label): \(value(parts[1], of: label))"
    }
    return "\(word.name)(\(arguments.joined(separator: ", ")))"
  }

  private static func value(_ text: String, of label: String) -> String {
    switch label {
    case "rect": return "(\(text.replacing(",", with: ", ")))"
    case "scaleMode": return text == "fit" ? "aspectFit" : text
    case "color", "borderColor": return "rgba(\(text.replacing("/", with: ", ")))"
    case "horizontal", "vertical", "fitSize": return text == "1" ? "true" : "false"
    case "corners":
      guard let mask = Int(text) else { return text }
      let words = [(1, "topLeft"), (2, "topRight"), (4, "bottomLeft"), (8, "bottomRight")]
      let names = words.filter { mask & $0.0 != 0 }.map(\.1)
      return names.isEmpty ? "none" : names.joined(separator: "+")
    default: return text
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
