import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)))
struct LocateWorkerTests {
  private func plant(_ path: String, in folder: TemporaryFolder, executable: Bool = true) throws -> String {
    let file = folder.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("#!/bin/sh\n".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: executable ? 0o755 : 0o644], ofItemAtPath: file.path)
    return file.path
  }

  @Test func besideTheProgramComesBeforeLibexec() throws {
    let folder = try TemporaryFolder()
    let program = try plant("bin/preheat", in: folder)
    let far = try plant("libexec/preheat/preheat-render", in: folder)
    #expect(try RenderPool.locateWorker(beside: program, environment: [:]) == far)
    let near = try plant("bin/preheat-render", in: folder)
    #expect(try RenderPool.locateWorker(beside: program, environment: [:]) == near)
  }

  @Test func aLinkToTheProgramIsFollowed() throws {
    let folder = try TemporaryFolder()
    let program = try plant("opt/bin/preheat", in: folder)
    let worker = try plant("opt/bin/preheat-render", in: folder)
    let link = folder.file("preheat").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
    #expect(try RenderPool.locateWorker(beside: link, environment: [:]) == worker)
  }

  @Test func theEnvironmentDecides() throws {
    let folder = try TemporaryFolder()
    let program = try plant("bin/preheat", in: folder)
    _ = try plant("bin/preheat-render", in: folder)
    let other = try plant("other", in: folder)
    #expect(try RenderPool.locateWorker(beside: program, environment: ["PREHEAT_RENDER": other]) == other)
  }

  @Test func whatIsNoExecutableFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let program = try plant("bin/preheat", in: folder)
    let plain = try plant("plain", in: folder, executable: false)
    for path in [plain, folder.path, folder.file("absent").path] {
      let failure = try #require(throws: RenderFailure.self) {
        try RenderPool.locateWorker(beside: program, environment: ["PREHEAT_RENDER": path])
      }
      #expect(failure.code == .worker)
      #expect(failure.message.contains(path))
    }
  }

  @Test func aProgramAnywhereFindsAnInstalledOne() throws {
    let folder = try TemporaryFolder()
    let program = try plant("bin/warm", in: folder)
    let worker = try plant("usr/preheat-render", in: folder)
    #expect(try RenderPool.locateWorker(beside: program, environment: [:], installed: [worker]) == worker)
  }

  @Test func whereNothingIsFoundThePlacesAreNamed() throws {
    let folder = try TemporaryFolder()
    let program = try plant("bin/preheat", in: folder)
    let failure = try #require(throws: RenderFailure.self) {
      try RenderPool.locateWorker(beside: program, environment: ["PREHEAT_RENDER": ""], installed: [])
    }
    #expect(failure.message.contains("\(folder.path)/bin/preheat-render"))
    #expect(failure.message.contains("\(folder.path)/libexec/preheat/preheat-render"))
  }
}
