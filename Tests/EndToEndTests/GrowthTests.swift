import Foundation
import TestSupport
import Testing

/// What a command takes grows with its entries and with the length of its texts, and not with the square of either.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct GrowthTests {
  /// What is there, and what is done with it, one after the other.
  private struct Work {
    var name: String
    /// Makes a folder of so many entries, or of so many bytes.
    var make: (Int) throws -> Scene
    var steps: [Step]
  }

  private enum Step {
    case command(String)
    case change((Scene) throws -> Void)
  }

  /// Ten times as much takes fourteen times as long at most: time of the program itself, since the kernel's depends on
  /// what else writes to the disk. Of three tries the best counts; most need one.
  private static func check(_ works: [Work], _ sizes: [Int]) throws {
    for work in works {
      var best: [[String: Double]] = [[:], [:]]
      func slow() -> [String] {
        best[1].filter { $0.value > max(14 * (best[0][$0.key] ?? 0), 0.25) }.map { "\($0.key) \(best)" }
      }
      for attempt in 0..<3 where attempt == 0 || !slow().isEmpty {
        for (place, size) in sizes.enumerated() {
          let scene = try work.make(size)
          for step in work.steps {
            switch step {
            case .change(let change): try change(scene)
            case .command(let line):
              let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
              let result = try BuiltCommand.run(
                words, in: scene.folder.url, wrapper: ["prlimit", "--cpu=60"] + Scene.measured)
              #expect(result.status >= 0, "\(work.name), \(line): \(result.messages.prefix(300))")
              let time = try Double(scene.folder.text("user")) ?? 60
              best[place][line] = min(best[place][line] ?? time, time)
            }
          }
        }
      }
      #expect(slow() == [], "\(work.name)")
    }
  }

  // MARK: Entries

  private static let head =
    "client nuke 12\ncache cache\nscale 1\nskip-invalid on\nchain card = resize(width: 60)\n"
  private static let reports = "--report page --junit j.xml --metrics m.txt --annotations --verbose"

  private static func job(_ head: String = "", _ line: @escaping (Int) -> String) -> (Int) throws -> Scene {
    { count in
      let scene = try Scene((0..<count).map(line).joined(separator: "\n"), head: Self.head + head)
      try Data(base64Encoded: picture)?.write(to: scene.folder.file("dot.png"))
      return scene
    }
  }

  private static func keys(_ key: @escaping (Int) -> String) -> (Int) throws -> Scene {
    { count in
      let scene = try Scene("https://e.com/a.png card", head: Self.head)
      try scene.folder.write((0..<count).map { key($0) + "\n" }.joined(), to: "k.txt")
      try scene.folder.makeFolder("cache")
      return scene
    }
  }

  /// A PNG of one pixel.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  private static func resize(_ width: Int) -> String {
    "com.github.kean/nuke/resize?s=(\(width).0, 9999.0),cm=.aspectFit,crop=false,upscale=false"
  }

  private static func change(_ body: @escaping (URL) throws -> Void) -> Step {
    .change { scene in for name in try scene.names() { try body(scene.folder.file("cache/\(name)")) } }
  }

  private static var asked: [Step] {
    [
      .command("replay k.txt --in cache --client nuke_12 --cures cures.job --verbose"),
      .command("init --from k.txt --client nuke_12 -o made.job --verbose"),
    ]
  }

  @Test func noCommandTakesTheSquareOfItsEntries() throws {
    try Self.check(
      [
        Work(
          name: "renditions of one source, good, without their dates, damaged, gone",
          make: Self.job("policy reachable\n") { "./dot.png original id=\($0)" },
          steps: [
            .command("run test.job \(Self.reports)"), .command("bundle cache -o b.zip --job test.job"),
            Self.change { file in
              try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file.path)
            },
            .command("verify cache --quick"),
            Self.change { try Data("damaged".utf8).write(to: $0) },
            .command("verify cache --verbose"), .command("inspect cache"), .command("diff cache b.zip"),
            .command("merge cache -o whole"), .command("verify cache --repair"),
            .command("bundle cache -o c.zip"), .command("code test.job --swift --tests --all"),
          ]),
        Work(
          name: "nothing is stored of one source",
          make: Self.job("policy storeOriginalData\n") { "./dot.png card id=\($0)" },
          steps: [.command("run test.job \(Self.reports)"), .command("plan test.job --rows")]),
        Work(
          name: "failed", make: Self.job { "./missing-\($0).png card" },
          steps: [.command("run test.job \(Self.reports)"), .command("run test.job --json")]),
        Work(
          name: "failed, all shown alike", make: Self.job { "http://127.0.0.1:1/a.png?id=\($0) card" },
          steps: [.command("run test.job --allow-private 127.0.0.1 --retries 0 \(Self.reports)")]),
        Work(
          name: "skipped", make: Self.job { "/\($0).png nosuch\($0)" },
          steps: [.command("run test.job \(Self.reports)"), .command("plan test.job --rows --verbose")]),
        Work(
          name: "foreign",
          make: { count in
            let scene = try Self.job { _ in "./dot.png original" }(1)
            #expect(try scene.run().status == 0)
            for number in 0..<count {
              let name = String(repeating: "0", count: 34) + "\(100_000 + number)"
              try Data(base64Encoded: Self.picture)?.write(to: scene.folder.file("cache/\(name)"))
            }
            return scene
          },
          steps: [
            .command("verify cache --verbose"), .command("inspect cache"),
            .command("bundle cache -o b.zip"),
            .command("merge cache -o whole"), .command("sweep cache --size-limit 10K"),
          ]),
        Work(
          name: "chains", make: Self.job { "https://e.com/a.png resize(width: \($0 + 1))" },
          steps: [.command("plan test.job"), .command("code test.job --swift --tests --all")]),
        Work(
          name: "asked", make: Self.keys { "https://e.com/\($0).png" + Self.resize(60) }, steps: Self.asked),
        Work(
          name: "asked, all of one name",
          make: Self.keys { "https://e.com/a.png?token=\($0)" + Self.resize($0 + 1) },
          steps: Self.asked),
        Work(name: "refused", make: Self.keys { "product-\($0)com.example/x?a=\($0)" }, steps: Self.asked),
      ], [FaultCount.of(500, full: 2000), FaultCount.of(5000, full: 20_000)])
  }

  // MARK: Texts

  private static let parts = [
    "&s=(", "\u{316}\u{301}", " ", "?a", "&a=\"", "a@", "://", "#", "##", "%3F", "(", ",", ", ", "../",
    "\u{202E}",
  ]

  private static func texts(_ write: @escaping (String, (String, String) throws -> Void) throws -> Void) -> (
    String
  ) -> (Int) throws -> Scene {
    { part in
      { size in
        let scene = try Scene("https://e.com/a.png card", head: Self.head)
        try scene.folder.makeFolder("cache")
        // A line has 1 MiB at most.
        let text = String(repeating: part, count: (size - 1000) / part.utf8.count)
        try write(text) { try scene.folder.write($1, to: $0) }
        return scene
      }
    }
  }

  /// By bytes: many marks are one character, which takes long to compare.
  private static func without(_ mark: Unicode.Scalar, in text: String, most: Int = .max) -> String {
    String(
      decoding: text.utf8.prefix(most).map { $0 == UInt8(ascii: mark) ? UInt8(ascii: "_") : $0 },
      as: UTF8.self)
  }

  private static var plan: [Step] {
    [
      .command("plan test.job --rows"), .command("run test.job --report page --junit j.xml"),
    ]
  }

  private static var forms: [(name: String, make: (String) -> (Int) throws -> Scene, steps: [Step])] {
    [
      (
        "source",
        texts {
          try $1("test.job", Self.head + "https://e.com/a?\(Self.without(" ", in: $0)) nosuch\n")
        },
        plan
      ),
      (
        "chain's name",
        texts { text, write in
          let name = Self.without(" ", in: text)
          try write("test.job", Self.head + "chain a\(name) = resize(width: 1)\nhttps://e.com/a a\(name)b\n")
        }, plan
      ),
      (
        "code", texts { try $1("test.job", Self.head + "https://e.com/a card id=\"\($0)\"\n") },
        [.command("code test.job --swift --tests")]
      ),
      (
        "catalogue",
        texts {
          try $1("a.csv", "url,b\n\"/\(Self.without("\"", in: $0))\",c\n")
          try $1("test.job", Self.head + "include a.csv url=url card\n")
        }, [.command("plan test.job --rows"), .command("init a.csv --client nuke_12 -o made.job")]
      ),
      (
        "catalogue's names",
        texts {
          let name = Self.without("\"", in: $0)
          try $1("a.json", "[{\"\(name)\": \"https://e.com/a.png\", \"b\": \"\(name)\"}]")
          try $1("test.job", Self.head + "include a.json url=b card\n")
        }, [.command("plan test.job --rows"), .command("init a.json --client nuke_12 -o made.job")]
      ),
      (
        "recording",
        texts {
          let text = Self.without("\"", in: $0, most: 400_000)
          try $1("k.txt", "{\"key\":\"https://e.com/a?\(text)\",\"url\":\"https://e.com/\(text)\"}\n")
        }, asked
      ),
      (
        "lock file", texts { try $1("Podfile.lock", "PODS:\n  - Nuke (12.8.0)\n  - \($0)\n") },
        [.command("init --client nuke_from_Podfile.lock test.job -o made.job")]
      ),
    ]
  }

  @Test func noTextTakesTheSquareOfItsLength() throws {
    try Self.check(
      Self.forms.flatMap { form in
        Self.parts.map { Work(name: "\(form.name) of \($0)", make: form.make($0), steps: form.steps) }
      }, [FaultCount.of(25 << 10, full: 100 << 10), FaultCount.of(250 << 10, full: 1 << 20)])
  }
}
