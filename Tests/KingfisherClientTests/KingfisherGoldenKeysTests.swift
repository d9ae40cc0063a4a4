import JobSupport
import TestSupport
import Testing

/// Kingfisher's golden keys again, this time from the text of a job to the plan.
@Suite("Kingfisher's golden keys in jobs", .timeLimit(.minutes(10)))
struct KingfisherGoldenKeysTests {
  @Test func jobsGiveTheKeysOfTheRealLibrary() throws {
    let rows = try Fixtures.table("kingfisher-keys.tsv")
    #expect(!rows.isEmpty)
    for row in rows {
      let job = try KingfisherVectorJob(row)
      let planned = Preheat.plan(job.text)
      let name = row["filename"] ?? ""
      if name.contains("/") {
        #expect(planned.errors.count == 1 && planned.errors[0].contains("sub-folder"), "\(job.text)")
        continue
      }
      #expect(planned.errors == [], "\(job.text)")
      let rendition = try #require(planned.plan.map { Array($0.renditions) }?.first, "\(job.text)")
      #expect(row["computed_key"].map { Array($0.utf8) } == Array(rendition.key.utf8), "\(job.text)")
      #expect(rendition.fileName == name, "\(job.text)")
    }
  }

  /// `|>A` is what `style builder` makes of `A`, but for a downsampling that comes first.
  @Test func theBuilderStyleGivesTheSameKeysAsAnAppendedDefault() throws {
    for row in try Fixtures.table("kingfisher-keys.tsv") {
      guard let spec = row["processors_spec"], spec.hasPrefix("|>"), !spec.hasPrefix("|>downsample") else {
        continue
      }
      var job = try KingfisherVectorJob(row)
      job.text = "style builder\n" + job.text.replacing("default | ", with: "")
      let planned = Preheat.plan(job.text)
      #expect(planned.plan?.renditions.first { _ in true }?.key == row["computed_key"], "\(job.text)")
    }
  }
}

/// A row of the vectors as the job that a person would write for it.
private struct KingfisherVectorJob {
  var text: String

  struct Malformed: Error {
    var text: String
  }

  init(_ row: [String: String]) throws {
    func column(_ name: String) throws -> String {
      guard let text = row[name] else { throw Malformed(text: name) }
      return text
    }
    var lines = ["client kingfisher \(try column("kf_version"))", "cache out"]
    for (name, keyword) in [("path_extension", "path-extension"), ("forced_ext", "forced-extension")] {
      let value = try column(name)
      if value != "-" { lines.append("\(keyword) \(Self.quoted(value))") }
    }
    if try column("auto_ext") == "1" { lines.append("auto-extension true") }
    let spec = try column("processors_spec")
    let chain =
      spec == "-"
      ? ["original"]
      : try spec.split(separator: "|>", omittingEmptySubsequences: false).map { try Self.processor($0) }
    let key = try column("cache_key_override")
    let id = key == "-" ? "" : " id=\(Self.quoted(key))"
    lines.append(Self.quoted(try column("url")) + " " + chain.joined(separator: " | ") + id)
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func processor(_ spec: Substring) throws -> String {
    if spec.isEmpty || spec == "default" { return "default" }
    let name = spec.prefix { $0 != "(" }
    let inside = spec.dropFirst(name.count + 1).dropLast()
    switch name {
    case "custom": return "custom(\(quoted(String(inside))))"
    case "livephoto": return "custom(\"com.onevcat.Kingfisher.LivePhotoImageProcessor\")"
    default: break
    }
    let words: [String: (name: String, labels: [String: String])] = [
      "resize": ("resizing", ["size": "referenceSize", "mode": "mode"]),
      "downsample": ("downsampling", ["size": "size"]),
      "round": (
        "roundCorner",
        ["r": "radius", "size": "targetSize", "corners": "roundingCorners", "bg": "backgroundColor"]
      ),
      "blur": ("blur", ["r": "blurRadius"]), "overlay": ("overlay", ["c": "color", "f": "fraction"]),
      "tint": ("tint", ["c": "color"]), "blackwhite": ("blackWhite", [:]),
      "colorcontrols": (
        "colorControls", ["b": "brightness", "c": "contrast", "s": "saturation", "ev": "inputEV"]
      ),
      "crop": ("cropping", ["size": "size", "anchor": "anchor"]),
      "blend": ("blend", ["mode": "blendMode", "a": "alpha", "bg": "backgroundColor"]),
      "border": ("border", ["c": "color", "w": "lineWidth", "r": "radius", "corners": "roundingCorners"]),
    ]
    guard let word = words[String(name)] else { throw Malformed(text: String(spec)) }
    let arguments = try inside.split(separator: ";").map { field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let label = word.labels[parts[0]] else { throw Malformed(text: String(spec)) }
      return "\(label): \(value(parts[1], of: label))"
    }
    return word.name + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
  }

  private static func value(_ text: String, of label: String) -> String {
    switch label {
    case "radius":
      let words = ["pt": "point", "w": "widthFraction", "h": "heightFraction"]
      let parts = text.split(separator: ":").map(String.init)
      return "\(words[parts[0]] ?? "")(\(parts[1]))"
    case "color", "backgroundColor":
      let parts = text.split(separator: ":").map(String.init)
      let name = parts[0] == "rgb" ? "rgba" : "gray"
      return "\(name)(\(parts[1].replacing("/", with: ", ")))"
    case "roundingCorners":
      let words = ["tl": "topLeft", "tr": "topRight", "bl": "bottomLeft", "br": "bottomRight"]
      return text.split(separator: "+").map { words[String($0)] ?? String($0) }.joined(separator: "+")
    case "anchor": return "(\(text.replacing(",", with: ", ")))"
    default: return text
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
