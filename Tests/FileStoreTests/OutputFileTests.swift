import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10))) struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kind(_ path: String) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  @Test func aFileIsReplacedAndKeepsItsRights() throws {
    let path = folder.file("report.xml").path
    try OutputFile.write(Data("one".utf8), to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    try OutputFile.write(Data("two".utf8), to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
    #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.systemFileNumber] as? Int != number)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.xml"])
  }

  @Test(arguments: [true, false]) func aLinkStaysAndItsFileIsReplaced(isThere: Bool) throws {
    let (link, target) = (folder.file("link").path, folder.file("elsewhere/file").path)
    try FileManager.default.createDirectory(
      atPath: folder.file("elsewhere").path, withIntermediateDirectories: true)
    if isThere { try Data("old".utf8).write(to: folder.file("elsewhere/file")) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere/file")
    try OutputFile.write(Data("new".utf8), to: link)
    #expect(try kind(link) == .typeSymbolicLink)
    #expect(try kind(target) == .typeRegular)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
  }

  @Test func aDeviceStaysADevice() throws {
    try OutputFile.write(Data("text".utf8), to: "/dev/null")
    #expect(try kind("/dev/null") == .typeCharacterSpecial)
    #expect(throws: FileStoreError(.write, path: "/dev/full", reason: .noSpace)) {
      try OutputFile.write(Data("text".utf8), to: "/dev/full")
    }
    #expect(try kind("/dev/full") == .typeCharacterSpecial)
  }

  @Test func aPipeIsWrittenTo() throws {
    let path = folder.file("pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    // Both ends, so that nobody waits.
    let descriptor = open(path, O_RDWR | O_NONBLOCK)
    let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try OutputFile.write(Data("text".utf8), to: path)
    #expect(try pipe.read(upToCount: 4) == Data("text".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test func twoFormsOfANameAreTwoFolders() {
    #expect(!OutputFile.isInside("/tmp/e\u{301}/x", of: "/tmp/\u{E9}"))
    #expect(OutputFile.isInside("/tmp/\u{E9}/x", of: "/tmp/\u{E9}"))
  }

  @Test func aFolderAndACircleOfLinksAreRefused() throws {
    #expect(throws: FileStoreError(.write, path: folder.path, reason: .isAFolder)) {
      try OutputFile.write(Data(), to: folder.path)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a").path, withDestinationPath: folder.file("a").path)
    #expect(throws: FileStoreError.self) { try OutputFile.write(Data(), to: folder.file("a").path) }
  }
}
