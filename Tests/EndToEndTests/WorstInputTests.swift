import Foundation
import TestSupport
import Testing

/// Texts from strangers that were made to cost as much as they can.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct WorstInputTests {
  /// A file, and the command that reads it.
  private struct Form {
    var name: String
    var file: String
    var text: String
    var arguments: [String]
  }

  private static let size = FaultCount.of(256 << 10, full: 8 << 20)
  private static let lock = "Podfile.lock"

  private static func many(_ part: String, _ size: Int = size) -> String {
    String(repeating: part, count: size / part.utf8.count)
  }

  private static func numbered(_ size: Int = size, each bytes: Int, _ part: (Int) -> String) -> String {
    (0..<max(1, size / bytes)).map(part).joined(separator: ",")
  }

  // MARK: Forms

  /// Catalogues, as `init` looks at them and as `plan` reads them.
  private static var catalogues: [Form] {
    let half = min(size, 1 << 20) / 2
    let nested = (0..<120).map { _ in "{\"\(many("n", size / 400))\":" }.joined()
    let long = many("k", half)
    let columns = { (name: String) in
      "url," + numbered(each: size / 4001) { many(name, size / 4001) + "\($0)" }
    }
    let forms: [(file: String, options: String, text: String)] = [
      ("a.csv", "url=url", columns("a")), ("a.csv", "url=url", columns("e\u{301}\u{323}")),
      (
        "a.csv", "url=url",
        "url," + numbered(1 << 16, each: 16) { "c\($0)" } + "\n" + many(many(",", 4096) + "\n")
      ),
      ("a.csv", "url=url", "url,b\n" + many("x\n")), ("a.csv", "url=url", "url,b\n" + many("\n")),
      ("a.csv", "url=url", "url,b\n" + many("/a,\n")), ("a.csv", "url=url", "url\n\"" + many("\"\"")),
      ("a.csv", "url=url split=\",\"", "url,b\n\"" + many("/a, ", 2 * half - 9) + "\",b\n"),
      (
        "a.csv", "url=https://e.com/{b}/{url} split=\",\"",
        "url,b\n\"" + many("a,", half) + "\"," + many("y", half) + "\n"
      ),
      (
        "a.csv", "url=url id=b split=\",\"",
        "url,b\n\"" + many("https://e.com/a,", half) + "\"," + many("y", half) + "\n"
      ),
      ("a.json", "url=/*", "[" + nested + "[" + many("1,") + "1]" + many("}", 120) + "]"),
      ("a.json", "url=url", "[{\"\(long)\":[" + many("1,") + "1]}]"),
      ("a.json", "url=url", "[" + numbered(each: 13) { "{\"k\($0)\":1}" } + "]"),
      ("a.json", "url=url", "[{\"\(long)\":1}," + many("{\"a\":1},") + "{}]"),
      ("a.json", "url=url", "[{\"\(long)\":{" + numbered(each: 24) { "\"\($0)\":1" } + "}}]"),
      ("a.json", "url=url", "[" + many("[],") + "{}]"), ("a.json", "url=url", many("[")),
      ("a.json", "url=/*", "[[" + many("1,") + "1]]"), ("a.json", "url=url", "[\"" + many("\\u0061") + "\"]"),
      ("a.ndjson", "url=url", many("{}\n")), ("a.ndjson", "url=url", many("x\n")),
      ("a.ndjson", "url=url", "{" + numbered(each: 10) { "\"\($0)\":1" } + "}\n"),
      ("a.ndjson", "url=url", many("{\"url\":[" + many("\"/a\",", 5000) + "1]}\n")),
      ("a.txt", "", many("/x\n")),
    ]
    return forms.enumerated().flatMap { number, form in
      [
        Form(
          name: "init \(number)", file: form.file, text: form.text,
          arguments: ["init", form.file, "--client", "nuke 12", "-o", "made.job"]),
        Form(
          name: "plan \(number) include \(form.file) \(form.options) t", file: form.file, text: form.text,
          arguments: ["plan", "test.job", "--quiet", "--rows"]),
      ]
    }
  }

  private static var lockFiles: [Form] {
    let pods = "PODS:\n  - Nuke (12.8.0)\n"
    let pin =
      #"{"kind":"remoteSourceControl","location":"https://github.com/kean/Nuke","state":{"version":"12.8.0"}}"#
    let head = "{\"version\":2,\"pins\":[\(pin)"
    let texts = [
      many("  - A (1)\n"), many("  - \"A/B (1)\":\n"), many("    - A\n"), many("#\n"),
      "EXTERNAL SOURCES:\n" + many("    :a:  \n"),
      "EXTERNAL SOURCES:\n  A:\n    :a: " + many(" ", min(size, 1_000_000)) + "\"y\"\n",
    ].map { (lock, pods + $0) }
    let resolved = [
      many(",\n{\"state\":{}}") + "]}", many(",\n" + pin) + "]}", "],\"x\":[" + many("1,\n") + "1]}",
      "],\"x\":{" + numbered(each: 12) { "\n\"\($0)\":1" } + "}}",
      many(",\n{\"location\":\"" + many("/", 100_000) + "\",\"state\":{}}") + "]}",
    ].map { ("Package.resolved", head + $0) }
    return (texts + resolved).enumerated().map { number, form in
      Form(
        name: "lock file \(number)", file: form.0, text: form.1,
        arguments: ["init", "--client", "nuke from \(form.0)", "list.txt", "-o", "made.job"])
    }
  }

  private static var indexes: [Form] {
    let size = 15 * size
    let rest = [
      "\"entries\":[],\"x\":[" + many("1,", size) + "1]}",
      "\"entries\":[],\"x\":[" + many("\"\",", size) + "1]}",
      "\"entries\":[" + many("{},", size) + "{}]}", "\"counter\":" + many("1", size) + "}",
      "\"entries\":[],\"x\":{" + numbered(size, each: 10) { "\"\($0)\":1" } + "}}",
      "\"entries\":[" + many("{\"file\":\"a\"" + many(",\"b\":1", 60) + "},", min(size, 40 << 20)) + "{}]}",
      "\"entries\":[{\"file\":\"a\",\"key\":\"" + many("\\u0061", size) + "\"}]}",
    ]
    return rest.enumerated().map { number, rest in
      Form(
        name: "index \(number)", file: "b.bundle/index.json",
        text: "{\"format\":\"preheat-bundle\",\"version\":1,\"rules\":{}," + rest,
        arguments: ["verify", "b.bundle"])
    }
  }

  private static var recordings: [Form] {
    let texts = [
      many("a\n"), many("{\n"), many(many("a", 16_000) + "\n"),
      many("https://e.com/a" + many("com.github.kean/nuke/resize?s=(", 16_000) + "\n"),
      many("https://e.com/a?" + many("a=b&", 16_000) + "\n"),
      many("{\"key\":\"a\",\"options\":[" + many("\"\",", 3000) + "\"\"]}\n"),
      many("{\"key\":\"a\",\"x\":" + many("[", 500) + many("]", 500) + "}\n"),
    ]
    return texts.enumerated().map { number, text in
      Form(
        name: "recording \(number)", file: "k.ndjson", text: text,
        arguments: ["replay", "k.ndjson", "--in", "cache", "--client", "nuke 12"])
    }
  }

  // MARK: Tests

  /// In seconds of a processor and in memory for each MiB of text, with what the command takes for itself.
  @Test func noTextOfAStrangerTakesMoreMemoryAndTimeThanItsLength() throws {
    let isSlow = BuiltCommand.preheat.path.contains("/debug/")
    for form in Self.catalogues + Self.lockFiles + Self.indexes + Self.recordings {
      let folder = try TemporaryFolder()
      for name in ["b.bundle", "cache"] {
        try folder.makeFolder(name)
      }
      try folder.write("0\n", to: "b.bundle/id")
      try folder.write("https://e.com/a.jpg\n", to: "list.txt")
      let include = form.name.firstRange(of: "include").map { form.name[$0.lowerBound...] } ?? ""
      try folder.write(
        "client nuke 12\ncache out\nskip-invalid on\nchain t = resize(width: 10)\n\(include)\n",
        to: "test.job")
      try folder.write(form.text, to: form.file)
      let mebibytes = 1 + form.text.utf8.count >> 20
      let seconds = (2 + 4 * mebibytes) * (isSlow ? 20 : 1)
      let result = try BuiltCommand.run(
        form.arguments, in: folder.url, wrapper: ["prlimit", "--cpu=\(seconds)"] + Scene.measured)
      #expect(
        [0, 2, 3, 6].contains(result.status),
        "\(form.name): \(result.status) \(result.messages.prefix(500))")
      let peak = try Int(folder.text("peak")) ?? .max
      #expect(peak >> 10 < 64 + 64 * min(mebibytes, 8), "\(form.name): \(peak >> 10) MiB for \(mebibytes)")
    }
  }

  /// Its size tells that it is not what was stored. A sparse file has any size for nothing.
  @Test(arguments: [
    "verify cache --quick", "verify cache", "diff cache other", "diff other cache", "bundle cache -o b.zip",
    "merge cache other -o whole",
  ])
  func aFileThatHasGrownIsNotRead(command: String) throws {
    let scene = try Scene.ordinary()
    for cache in ["cache", "other"] { #expect(try scene.run(["--cache", cache]).status == 0) }
    let name = try #require(try scene.entries().keys.min())
    #expect(truncate(scene.folder.file("cache/\(name)").path, 3 << 30) == 0)
    let result = try scene.preheat(
      command.split(separator: " ").map(String.init), wrapper: ["prlimit", "--cpu=20"] + Scene.measured)
    #expect(result.status == (command.hasPrefix("diff") ? 7 : 6), "\(result)")
    #expect((result.output + result.messages).contains(name.prefix(8)), "\(result)")
    let peak = try Int(scene.folder.text("peak")) ?? .max
    #expect(peak >> 10 < 300)
  }
}
