import Digests
import Fetching
import JobFile
import JobSupport
import Rendering
import Testing

@testable import Planning
@testable import Running

/// What a job says, as a run carries it out.
@Suite(.timeLimit(.minutes(10))) struct JobRulesTests {
  @Test func whatWasPlannedBeforeHasTheIdentityThatItHad() throws {
    // Ledgers of earlier releases hold these: a change would make all caches anew.
    let output = RenderRequest.Output(
      steps: [.circle(border: nil)], encoding: .automatic(jpegQuality: 80))
    let json =
      #"{"embedded":"client","encoding":{"automatic":{"jpegQuality":80}},"steps":[{"circle":{}}]}"#
    #expect(
      RenditionTask.identity(content: .encoded, output: output, sha256: nil)
        == SHA256.hexadecimal(of: "preheat encoded - \(json)"))
  }

  @Test func aRunsWorkersHaveTheMemoryOfItsMostGenerousJob() throws {
    let plans = try ["max-memory 1G", "max-bytes 200M"].map {
      try #require(Preheat.plan("client nuke 12\ncache o\n\($0)\nhttps://e.com/1.jpg").plan)
    }
    let options = RunOptions(renderer: "/nowhere", workers: 1)
    #expect(options.workerArguments.isEmpty)
    let widened = options.widened(for: plans)
    #expect(widened.workerBytes == 1 << 30 && widened.workerArguments == ["--memory", "1073741824"])
  }

  @Test func theLoaderIsToldWhatTheJobSays() throws {
    let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
    let settings = try #require(
      JobFileReading(
        "client nuke 12\ncache o\nrate-limit 1/s\nper-host 2\nallow-private x\naws-sigv4 b aws:amz:r:s3\n/1.png",
        environment: keys
      ).settings)
    let credentials = HTTPSigning.Credentials(environment: keys)
    let http = NetworkRules(settings).apply(to: HTTPConfiguration(), credentials: credentials)
    #expect(http.maxStreamsPerHost == 2)
    #expect(http.maxConcurrentPerHost == 2 && http.allowPrivate == ["x"] && http.rateLimits.count == 1)
    #expect(http.signings.map(\.host) == ["b"])
  }
}
