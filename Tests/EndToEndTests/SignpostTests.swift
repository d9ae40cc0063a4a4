import Foundation
import TestSupport
import Testing

/// What a run says of itself, read by Python.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct SignpostTests {
  /// Reads a trace and a log of one run; prints what is wrong, one finding a line, then "read".
  static let checker = """
    import json, sys
    events = json.load(open(sys.argv[1]))
    log = [json.loads(line) for line in open(sys.argv[2])]
    rows = {}
    for event in events:
        if event["ph"] in "be":
            rows.setdefault((event["pid"], event["cat"], event["id"]), []).append(event)
    busy = {}
    for row, edges in rows.items():
        stack = []
        for edge in sorted(edges, key=lambda edge: edge["ts"]):
            if edge["ph"] == "b":
                stack.append(edge)
            elif not stack or stack[-1]["name"] != edge["name"]:
                print("wrong end", row, edge["name"])
            else:
                begin = stack.pop()
                if not stack and "worker" in begin.get("args", {}):
                    worker = begin["args"]["worker"]
                    busy[worker] = busy.get(worker, 0) + 1000 * (edge["ts"] - begin["ts"])
        for edge in stack:
            print("no end", row, edge["name"])
    counted = {e["worker"]: e["busy"] for e in log if e["type"] == "event" and e["name"] == "EndWorker"}
    for worker in set(busy) | set(counted):
        a, b = busy.get(worker, 0), counted.get(worker, 0)
        if abs(a - b) > 0.01 * max(a, b):
            print("worker", worker, "was busy", b, "and its intervals are", a)
    spans = {e["id"]: e for e in log if e["type"] == "interval"}
    for span in spans.values():
        parent = spans.get(span.get("parent"))
        if "parent" in span and parent is None:
            print("no parent", span)
        elif parent and not (parent["begin"] <= span["begin"]
                and span["begin"] + span["duration"] <= parent["begin"] + parent["duration"]):
            print("not within its parent", span, parent)
    names = {e["name"] for e in spans.values()}
    wanted = {"ParseJob", "MakePlan", "OpenCache", "WaitForBytes", "FetchSource", "WaitForPlace", "LoadImageData",
        "ReceiveBody", "WaitForWorker", "RenderSource", "DecodeImageData", "ProcessImage", "EncodeImage",
        "CheckOriginal", "StageFile", "PublishGroup", "SynchronizeFiles", "LedgerCommit", "FinishCache"}
    if wanted - names:
        print("missing", wanted - names)
    if {e["name"] for e in events if e["ph"] == "C"} != {"BytesInFlight", "Memory", "QueueDepth"}:
        print("counters are missing")
    print("read", len(counted) > 0)
    """

  @Test func theTraceIsWholeAndItsIntervalsAreTheWorkersTime() throws {
    let server = try NginxServer(serving: Scene.images)
    let chains = "card card|circle original"
    let scene = try Scene(
      """
      \(server.baseURL)/mountains.jpg?token=geheim \(chains)
      \(server.baseURL)/portrait-6.jpg \(chains)
      \(Scene.images.path)/logo.png card
      """, head: "policy storeAll\n" + Scene.head)
    try scene.run(["--signposts", "log", "--trace", "trace", "--workers", "2"]).expect(0)
    let files = ["trace", "log"].map { scene.folder.file($0).path }
    #expect(try Program.run(["python3", "-c", Self.checker] + files).output == "read True\n")
    for file in files {
      #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("geheim"), "a query is private")
    }
    let timings = try BuiltCommand.run(["timings", "--by", "chain", files[1]]).expect(
      0, prints: "EncodeImage")
    #expect(timings.messages == "")
  }

  @Test func whatIsPrivateIsRecordedWhenAskedFor() throws {
    let scene = try Scene("http://127.0.0.1:9/a.jpg?token=geheim card")
    try scene.run(["--signposts", "log", "--show-secrets"]).expect(5)
    #expect(try scene.folder.text("log").contains("token=geheim"))
  }

  @Test func theLogOfAKilledRunIsReadAndSaysWhatWasUnderWay() throws {
    // A server that accepts and never answers.
    let server = try FaultServer()
    let scene = try Scene("\(server.url("/hang")) card")
    let running = try scene.start(["--signposts", "log"])
    let log = scene.folder.file("log")
    for _ in 0..<1500 {
      if let text = try? String(contentsOf: log, encoding: .utf8), text.contains("\"LoadImageData\"") {
        break
      }
      usleep(20_000)
    }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    try BuiltCommand.run(["timings", log.path]).expect(0, "has no end", prints: "LoadImageData (+1 open)")
  }

  @Test func aLogThatCannotBeWrittenEndsTheRunBeforeItBegins() throws {
    let scene = try Scene("\(Scene.images.path)/logo.png card")
    try scene.run(["--signposts", "no/such/folder/log"]).expect(9, "no/such/folder/log cannot be written")
    #expect(try scene.files().isEmpty)
  }
}
