import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreTests {
  let temporary: TemporaryFolder
  let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    store = try FileStore(folder: temporary.file("a/b/cache"))
  }

  @Test func aFileIsWrittenReplacedAndRemovedAndLeavesNothingBehind() throws {
    try store.write(Data("old".utf8), as: "name")
    try store.write(Data("new text".utf8), as: "name")
    #expect(try store.read("name") == Data("new text".utf8))
    #expect(try store.entries(includingHidden: true).map(\.name) == ["name"])

    try store.remove("name")
    try store.remove("name")
    #expect(try store.read("name") == nil)
    #expect(!store.contains("name"))
  }

  @Test func whatIsThereButNoFileIsToldApartFromAFile() throws {
    try store.write(Data(), as: "empty")
    try FileManager.default.createDirectory(at: path("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: path("link"), withDestinationURL: path("empty"))
    #expect(mkfifo(path("pipe").path, 0o600) == 0)

    #expect(try store.read("empty") == Data())
    #expect(try store.read("folder") == nil)
    #expect(try store.read("link") == Data())
    #expect(try store.read("pipe") == nil)
    #expect(try store.read("missing") == nil)
    #expect(store.contains("folder"))
    #expect(!store.contains("missing"))
  }

  @Test func aLinkPlantedUnderANameIsReplacedNotWrittenThrough() throws {
    let outside = temporary.file("outside")
    try Data("precious".utf8).write(to: outside)
    try FileManager.default.createSymbolicLink(at: path("name"), withDestinationURL: outside)

    try store.write(Data("new".utf8), as: "name")

    #expect(try Data(contentsOf: outside) == Data("precious".utf8))
    #expect(try store.entries().map(\.isRegularFile) == [true])
  }

  @Test(arguments: ["", ".", "..", "../outside", "a/b", "/etc/passwd", "a\0b"])
  func aNameThatIsNoneInThisFolderIsRefused(name: String) throws {
    #expect(throws: FileStoreError.self) { try store.write(Data("x".utf8), as: name) }
    #expect(try store.read(name) == nil)
    #expect(!store.contains(name))
    #expect(store.url(for: name) == nil)
    try store.remove(name)
    #expect(FileManager.default.fileExists(atPath: store.folder.path))
  }

  @Test func aNameThatIsTooLongIsAMissToReadAndAnErrorToWrite() throws {
    let name = String(repeating: "n", count: 300)
    #expect(try store.read(name) == nil)
    #expect(throws: FileStoreError.self) { try store.write(Data("x".utf8), as: name) }
    #expect(try store.entries(includingHidden: true).isEmpty)
  }

  @Test func aFolderThatVanishedIsCreatedAgainByAWrite() throws {
    try FileManager.default.removeItem(at: temporary.file("a"))
    #expect(try store.entries().isEmpty)
    try store.write(Data("x".utf8), as: "name")
    #expect(try store.read("name") == Data("x".utf8))
  }

  @Test func removingEverythingSparesTheFolderItselfAndWhatLinksPointTo() throws {
    let outside = temporary.file("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try Data().write(to: outside.appendingPathComponent("kept"))
    try FileManager.default.createSymbolicLink(at: path("link"), withDestinationURL: outside)
    try FileManager.default.createDirectory(at: path("deep/er"), withIntermediateDirectories: true)
    try store.write(Data("x".utf8), as: ".hidden")
    try store.write(Data("x".utf8), as: "name")
    let inode = try FileManager.default.attributesOfItem(atPath: store.folder.path)[.systemFileNumber]

    try store.removeAll()

    #expect(try store.entries(includingHidden: true).isEmpty)
    #expect(FileManager.default.fileExists(atPath: outside.appendingPathComponent("kept").path))
    let after = try FileManager.default.attributesOfItem(atPath: store.folder.path)[.systemFileNumber]
    #expect(inode as? NSNumber == after as? NSNumber)
  }

  @Test func aFileInPlaceOfTheFolderIsAnErrorThatSaysSo() throws {
    try Data().write(to: temporary.file("taken"))
    let error = #expect(throws: FileStoreError.self) { try FileStore(folder: temporary.file("taken")) }
    #expect(error?.reason == .notAFolder)
    #expect(error?.description.hasPrefix("Cannot create the folder \(temporary.path)/taken: ") == true)
    #expect(throws: FileStoreError.self) { try FileStore(folder: temporary.file("taken/below")) }
  }

  @Test func aNameHeldByAFolderIsAnErrorAndLeavesNoTemporary() throws {
    try FileManager.default.createDirectory(at: path("name"), withIntermediateDirectories: false)
    let error = #expect(throws: FileStoreError.self) { try store.write(Data("x".utf8), as: "name") }
    #expect(error?.operation == .publish)
    #expect(try store.entries(includingHidden: true).map(\.name) == ["name"])
  }

  @Test(arguments: [
    (ENOSPC, FileStoreError.Reason.noSpace, false), (EDQUOT, .noSpace, false), (EROFS, .readOnly, false),
    (EMFILE, .tooManyOpenFiles, true), (EACCES, .notPermitted, false), (EIO, .inputOutput, false),
    (EXDEV, .otherFileSystem, false), (EISDIR, .isAFolder, false), (EFBIG, .noSpace, false),
    (ELOOP, .other(number: ELOOP), false),
  ])
  func anErrorNumberBecomesAReasonWithAdvice(
    number: Int32, reason: FileStoreError.Reason, isRetryable: Bool
  ) {
    let error = FileStoreError(.write, path: "/cache/x", reason: .init(number: number))
    #expect(error.reason == reason)
    #expect(error.isRetryable == isRetryable)
    #expect(error.description.hasPrefix("Cannot write /cache/x: "))
  }

  private func path(_ name: String) -> URL { store.folder.appendingPathComponent(name) }
}
