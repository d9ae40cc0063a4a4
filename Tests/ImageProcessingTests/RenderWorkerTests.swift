import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct RenderWorkerTests {
  private static let isBuilt = WorkerProcess.executable != nil
  static let request = RenderRequest(outputs: [.init(steps: [.resize(4, 4)], encoding: .png)])

  /// Our end of a service that runs on a thread of its own, and whether it ends well.
  private func serve(
    _ confinement: Confinement? = nil, draws: Bool = true
  ) throws -> (socket: FileHandle, service: OwnThread<Bool>) {
    let (ours, theirs) = try socketPair()
    let other = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    let service = OwnThread {
      defer { try? other.close() }
      return RenderService(
        input: other.fileDescriptor, output: other.fileDescriptor, confinement: confinement, draws: draws
      ).run()
    }
    return (FileHandle(fileDescriptor: ours, closeOnDealloc: true), service)
  }

  @Test func theServiceAnswersUntilTheOtherSideCloses() async throws {
    let (socket, service) = try serve()
    for bands in 1...4 {
      let source = TestPicture.gradient(8, 8, bands: bands).png()
      try RenderFrame.write(Self.request, payload: [source], to: socket.fileDescriptor)
      let frame = try #require(
        try RenderFrame.read(RenderAnswer.self, from: socket.fileDescriptor, maxPayload: 1 << 20))
      let expected = ImageRenderer.render(Self.request, source)
      #expect(frame.header == expected.answer)
      #expect(frame.payload == expected.payloads.flatMap { $0 })
    }
    try socket.close()
    #expect(try await service.value)
  }

  @Test func withoutAFilterNothingIsDrawn() async throws {
    let (socket, service) = try serve(.landlock, draws: false)
    let picture = TestPicture.gradient(8, 8).png()
    try RenderFrame.write(Self.request, payload: [picture], to: socket.fileDescriptor)
    let frame = try #require(
      try RenderFrame.read(RenderAnswer.self, from: socket.fileDescriptor, maxPayload: 1 << 20))
    #expect(frame.header.outputs == [.failed(Confinement.refusal)])
    #expect(frame.header.confinement == .landlock)
    #expect(Confinement.refusal.message.contains("seccomp"))
    #expect(Confinement.refusal.advice?.contains("--allow-unconfined") == true)
    try socket.close()
    #expect(try await service.value)
  }

  @Test func theServiceStopsAtWhatIsNoRequest() async throws {
    let (socket, service) = try serve()
    try socket.write(contentsOf: Data("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8))
    #expect(try await service.value == false)
  }

  @Test(.enabled(if: isBuilt)) func aWorkerIsConfinedAndStillDraws() throws {
    let worker = try WorkerProcess()
    let source = Exif.insert(Exif.block(orientation: 6), into: try TestPicture.gradient(900, 700).jpeg())
    let (answer, payload) = try worker.render(Self.request, source)
    let expected = ImageRenderer.render(Self.request, source)
    #expect(answer == expected.answer)
    #expect(payload == expected.payloads[0])
    #expect(try worker.status("NoNewPrivs") == "1")
    #expect(try worker.status("Seccomp") == "2")
    let layers = try #require(worker.confinement)
    #expect(layers.isSuperset(of: [.filter, .noNewPrivileges]))
    #expect(try worker.status("CapEff") == "0000000000000000" || !layers.contains(.namespaces))
    let limits = try String(contentsOfFile: "/proc/\(worker.identifier)/limits", encoding: .utf8)
    let cores = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(cores?.split(separator: " ").dropFirst(4).first == "0")
    #expect(try worker.end() == 0)
  }

  @Test(.enabled(if: isBuilt)) func aWorkerNeedsLittleMemoryToStart() throws {
    let worker = try WorkerProcess()
    _ = try worker.render(Self.request, TestPicture.gradient(8, 8).png())
    #expect(try worker.peakMemory() < 80 << 20)
  }

  @Test func wrongUseIsRefused() {
    #expect(PreheatRender.main(["preheat-render", "--help-me"]) == 2)
  }

  @Test func everyWorkerDrawsTheSameBytes() throws {
    let source = try TestPicture.noise(300, 200).jpeg()
    let request = RenderRequest(outputs: StepRuleTests.steps.map { .init(steps: [$0], encoding: .png) })
    let here = ImageRenderer.render(request, source)
    #expect(here.payloads.count == request.outputs.count)
    for _ in 0..<2 {
      let worker = try WorkerProcess()
      let there = try worker.render(request, source)
      #expect(there.answer == here.answer)
      #expect(there.payload == Array(here.payloads.joined()))
      #expect(try worker.end() == 0)
    }
  }
}
