import Foundation
import TestSupport
import Testing

/// The schema that `help schema` prints, against what the commands print, by a validator of others.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct SchemaTests {
  /// Prints a line for each mistake, then the types that were there and those of the schema.
  private static let validator = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    seen = set()
    for line in open(sys.argv[2]):
        item = json.loads(line)
        seen.add(item["type"])
        for error in validator.iter_errors(item):
            print("wrong:", error.message[:400], line[:400])
    print("not printed:", sorted(set(schema["properties"]["type"]["enum"]) - seen))
    """

  @Test func everyObjectIsOfTheSchema() throws {
    let scene = try Scene.ordinary()
    var lines = ""
    func preheat(_ arguments: String...) throws -> BuiltCommand.Result {
      let result = try scene.preheat(arguments)
      lines += result.output
      return result
    }
    func write(_ text: String, _ name: String) throws {
      try scene.folder.write(text, to: name)
    }
    _ = try preheat("run", "test.job", "--json", "--signposts", "1.log")
    let plan = try preheat("plan", "test.job", "--json", "--max-size", "1G", "--prune")
    try write(plan.output, "before.ndjson")
    try scene.write("https://e.com/1.jpg card\nhttps://e.com/2 2.jpg card", to: "other.job")
    _ = try preheat("plan", "other.job", "--json")
    _ = try preheat("plan", "other.job", "--json", "--skip-invalid")
    _ = try preheat("plan", "test.job", "--json", "--compare", "before.ndjson")
    _ = try preheat("plan", "--json", "--frobnicate")
    _ = try preheat("key", "--json", "--job", "test.job", "--in", "cache", "/1.png card")
    let key = try #require(plan.objects().lazy.compactMap { $0["key"] }.first as? String)
    try write("\(key)\nhttps://e.com/1.jpg\n", "keys.txt")
    _ = try preheat("replay", "--json", "keys.txt", "--in", "cache")
    _ = try preheat("init", "--json", "--client", "nuke 12", "--from", "keys.txt")
    try write("https://e.com/1.jpg\n", "urls.txt")
    _ = try preheat("init", "--json", "--client", "nuke 12", "urls.txt")
    _ = try preheat("inspect", "--json", "cache")
    _ = try preheat("doctor", "--json")
    _ = try preheat("sweep", "--json", "--dry-run", "--size-limit", "10K", "cache")
    _ = try preheat("bundle", "--json", "cache", "-o", "b.zip")
    _ = try preheat("bundle", "--json", "cache", "-o", "d.zip", "--max-size", "60K", "--drop")
    _ = try preheat("bundle", "--json", "cache", "-o", "c.zip", "--max-size", "1K")
    _ = try preheat("merge", "--json", "cache", "-o", "merged")
    try scene.folder.remove("merged/\(scene.names()[0])")
    _ = try preheat("diff", "--json", "cache", "merged")
    _ = try preheat("verify", "--json", "merged")
    _ = try preheat("timings", "--json", "1.log")
    try write(lines, "all.ndjson")

    let files = ["schema.json", "all.ndjson"].map { scene.folder.file($0).path }
    try write(try scene.preheat("help", "schema").output, "schema.json")
    let found = try Program.run(["python3", "-c", Self.validator] + files).expect(0)
    #expect(found.output == "not printed: []\n")
  }
}
