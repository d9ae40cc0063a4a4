import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)))
struct LocateWorkerTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try Self.plant("bin/preheat", in: folder)
  }

  @discardableResult
  private static func plant(_ path: String, in folder: TemporaryFolder, mode: Int = 0o755) throws -> String {
    let file = folder.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("#!/bin/sh\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    return file.path
  }

  private func found(
    beside program: String? = nil, _ named: String? = nil, installed: [String] = []
  ) throws(RenderFailure) -> String {
    try RenderPool.locateWorker(
      beside: program ?? self.program, environment: named.map { ["PREHEAT_RENDER": $0] } ?? [:],
      installed: installed)
  }

  /// Each place is looked at before those that were planted earlier; a link to the program is followed.
  @Test func theNearestOneIsTaken() throws {
    let link = folder.file("linked").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
    let installed = folder.file("usr/preheat-render").path
    for place in ["usr/preheat-render", "libexec/preheat/preheat-render", "bin/preheat-render"] {
      let worker = try Self.plant(place, in: folder)
      #expect(
        try found(installed: [installed]) == worker && found(beside: link, installed: [installed]) == worker)
    }
    let other = try Self.plant("other", in: folder)
    #expect(try found(other) == other)
  }

  @Test func whatIsNoExecutableFileIsRefused() throws {
    let plain = try Self.plant("plain", in: folder, mode: 0o644)
    for path in [plain, folder.path, folder.file("absent").path] {
      let failure = try #require(throws: RenderFailure.self) { try found(path) }
      #expect(failure.code == .worker && failure.message.contains(path))
    }
    let failure = try #require(throws: RenderFailure.self) { try found("") }
    for place in ["bin/preheat-render", "libexec/preheat/preheat-render"] {
      #expect(failure.message.contains("\(folder.path)/\(place)"))
    }
  }
}
