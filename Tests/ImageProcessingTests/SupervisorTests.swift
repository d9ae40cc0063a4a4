import Foundation
import TestSupport
import Testing
import Text

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)), .ownThreads, .enabled(if: WorkerProcess.executable != nil))
struct SupervisorTests {
  static let request = RenderRequest(outputs: [.init(steps: [.resize(4, 4)], encoding: .png)])
  /// Keeps a worker busy for seconds.
  static let slow = RenderRequest(
    outputs: (1...40).map { .init(steps: [.resize(1400 + Double($0), 1400)], encoding: .png) })

  /// The worker is killed as soon as it is at work; the answer says so, and the next one is right.
  @Test func aDecodersDeathIsAnAnswerAndTheNextPictureIsDrawn() async throws {
    let worker = try WorkerProcess()
    let small = TestPicture.gradient(8, 8).png()
    _ = try worker.render(Self.request, small)
    let first = worker.identifier
    let large = TestPicture.noise(1500, 1500).png()
    let killer = Thread {
      // Reading the bytes takes far less than that of a processor's time.
      while let time = try? WorkerProcess.time(of: first), time < 0.3 { usleep(500) }
      kill(first, SIGKILL)
    }
    killer.start()
    let (answer, payload) = try worker.render(Self.slow, large)
    #expect(answer.death == SIGKILL)
    #expect(answer.outputs.isEmpty && payload.isEmpty)
    let next = try worker.render(Self.request, small)
    #expect(next.answer == ImageRenderer.render(Self.request, small).answer)
    #expect(worker.identifier != first)
    #expect(try worker.end() == 0)
  }

  /// Everyday JPEGs, WebPs and PNGs are decoded, drawn and encoded without it.
  @Test func libvipsIsOpenedForThePictureThatNeedsIt() async throws {
    let worker = try WorkerProcess()
    let request = RenderRequest(
      outputs: [.init(steps: [.resize(16, 12)], encoding: .automatic(jpegQuality: 80))])
    let picture = TestPicture.gradient(64, 48)
    for source in [try picture.jpeg(), try picture.webp(), picture.png()] {
      let drawn = try worker.render(request, source)
      #expect(drawn.answer == ImageRenderer.render(request, source).answer)
    }
    #expect(worker.timesAsked == 0)
    let png = TestPicture.gradient(8, 8).png(isDeep: true)
    let other = try worker.render(Self.request, png)
    #expect(other.answer == ImageRenderer.render(Self.request, png).answer)
    _ = try worker.render(Self.request, png)
    #expect(worker.timesAsked == 1)
    #expect(try worker.end() == 0)
  }

  /// Between two requests nobody waits for an answer that could be given.
  @Test func aDeathBetweenTwoPicturesEndsTheProcess() async throws {
    let worker = try WorkerProcess()
    _ = try worker.render(Self.request, TestPicture.gradient(8, 8).png())
    kill(worker.identifier, SIGKILL)
    #expect(throws: RenderFrame.Failure.self) {
      try worker.render(Self.request, TestPicture.gradient(8, 8).png())
    }
  }

  /// Twelve results in the time of four: each has its own.
  @Test func manyResultsTakeLongerThanOneMay() async throws {
    let worker = try WorkerProcess()
    let picture = TestPicture.noise(1000, 1000).png()
    _ = try worker.render(Self.request, TestPicture.gradient(8, 8).png())
    func time() throws -> Double { try WorkerProcess.time(of: worker.identifier) }
    let before = try time()
    var request = RenderRequest(outputs: [.init(steps: [.resize(900, 900)], encoding: .png)])
    _ = try worker.render(request, picture)
    let one = try time() - before
    request.outputs = (1...12).map { .init(steps: [.resize(900 + Double($0), 900)], encoding: .png) }
    request.limits.seconds = one * 4
    let (answer, _) = try worker.render(request, picture)
    #expect(try time() - before > one * 5, "all of them take longer")
    #expect(
      answer.outputs.allSatisfy { output in
        if case .encoded = output { true } else { false }
      })
    #expect(try worker.end() == 0)
  }

  /// A copy that makes way is waited for, and its time with it.
  @Test func aWorkerThatIsToldToMakesWayForTheNext() async throws {
    let worker = try WorkerProcess()
    let picture = TestPicture.noise(1500, 1500).png()
    var last = RenderRequest(outputs: [.init(steps: [.resize(1400, 1400)], encoding: .png)])
    _ = try worker.render(last, picture)
    let first = worker.identifier
    let used = try WorkerProcess.time(of: first)
    last.isLast = true
    _ = try worker.render(last, picture)
    let next = try worker.render(Self.request, picture)
    #expect(next.answer == ImageRenderer.render(Self.request, picture).answer)
    #expect(worker.identifier != first && kill(first, 0) != 0)
    #expect(try worker.timeOfEndedCopies() > used)
    #expect(try worker.end() == 0)
  }

  /// Also of one that is stopped over a picture.
  @Test func theTimeOfAWorkerThatIsStoppedIsCounted() async throws {
    let launch = WorkerLaunch(
      executable: try #require(WorkerProcess.executable).path, arguments: [],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    let main = try DescriptorPair(isBlocking: true)
    let errors = try DescriptorPair(isBlocking: false)
    let process = try launch.start(socket: main.theirs.raw, errors: errors.theirs.raw)
    let picture = TestPicture.noise(1500, 1500).png(isDeep: true)
    try RenderFrame.write(Self.slow, payload: [picture], to: main.ours.raw)
    // libvips is opened for the first one.
    let answer = try RenderFrame.read(
      RenderAnswer.self, from: main.ours.raw, maxPayload: 0, deadline: .now + .seconds(60))
    #expect(answer?.header.isAgain == true)
    try RenderFrame.write(Self.slow, payload: [picture], to: main.ours.raw)
    while try WorkerProcess.time(of: try #require(WorkerProcess.child(of: process))) < 0.6 { usleep(2000) }
    kill(-process, SIGTERM)
    var (status, usage) = (Int32(0), rusage())
    #expect(wait4(process, &status, 0, &usage) == process)
    #expect(status == SIGTERM)
    let time = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    #expect(time >= 0.6)
  }

  @Test func thePoolTellsADeathFromAnAnswer() async throws {
    let executable = try #require(WorkerProcess.executable)
    let pool = RenderPool(executable: executable.path, workers: 1)
    let small = TestPicture.gradient(8, 8).png()
    let (answer, _) = try await pool.render(Self.request, bytes: small)
    #expect(answer.death == nil)
    let capabilities = try RenderPool.capabilities(of: executable.path)
    #expect(capabilities.version == PreheatVersion.text)
    #expect(capabilities.encodes.starts(with: [.jpeg, .png, .webp]))
    #expect(Set(capabilities.decodes).isSuperset(of: ImageFormat.trusted))
    await pool.shutdown()
  }
}
