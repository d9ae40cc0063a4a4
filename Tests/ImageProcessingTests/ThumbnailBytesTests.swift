import Foundation
import TestSupport
import Testing

@testable import ImageProcessing

/// The bytes of embedded thumbnails, held against other readers of EXIF where those are installed.
@Suite(.timeLimit(.minutes(10))) struct ThumbnailBytesTests {
  private static let exif = "/usr/bin/exif"
  private static let exiftool = "/usr/bin/exiftool"

  private static func output(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return bytes
  }

  private func checkAgainstTools(_ name: String, _ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("picture.jpg")
    try Data(bytes).write(to: file)
    let ours = EmbeddedThumbnail.bytes(inJPEG: bytes) ?? []
    if FileManager.default.isExecutableFile(atPath: Self.exif) {
      _ = try Self.output(Self.exif, ["-e", "-o", folder.file("thumbnail").path, file.path])
      let theirs = (try? Data(contentsOf: folder.file("thumbnail"))).map { [UInt8]($0) } ?? []
      #expect(ours == theirs, "\(name): exif")
    }
    if FileManager.default.isExecutableFile(atPath: Self.exiftool) {
      let theirs = try Self.output(Self.exiftool, ["-b", "-ThumbnailImage", file.path])
      #expect(ours == theirs, "\(name): exiftool")
    }
  }

  @Test(.enabled(if: Corpus.isHere)) func camerasThumbnailsAreThoseOfExifAndExiftool() throws {
    for part in ["thumbnails", "odd"] {
      for (name, bytes) in try Corpus.files(part) where name.hasSuffix(".jpg") {
        try checkAgainstTools(name, bytes)
      }
    }
  }

  private static let thumbnail = Result { try TestPicture.gradient(160, 120).jpeg() }
  private static let picture = Result { try TestPicture.gradient(400, 300).jpeg() }

  @Test func oddFilesAreReadAsOthersReadThem() throws {
    let thumbnail = try Self.thumbnail.get()
    let picture = try Self.picture.get()
    let block = Exif.block(thumbnail: thumbnail)
    let plain = Exif.insert(block, into: picture)
    // Behind another segment of full size, so that the block ends beyond 64 kB.
    let comment: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
    for (name, bytes) in [
      ("big-endian", plain), ("no end mark", Array(plain.dropLast(2))),
      ("cut pixels", Array(plain.dropLast(900))),
      ("second part of an MPO", plain + plain), ("beyond 64 kB", comment + plain.dropFirst(2)),
      ("none", picture),
    ] {
      try checkAgainstTools(name, bytes)
    }
    #expect(EmbeddedThumbnail.bytes(inJPEG: plain) == thumbnail)
    #expect(EmbeddedThumbnail.bytes(inJPEG: comment + plain.dropFirst(2)) == thumbnail)
    #expect(EmbeddedThumbnail.bytes(inJPEG: picture) == nil)
  }

  @Test func whatReachesBeyondItsBlockIsNoThumbnail() throws {
    let plain = Exif.insert(Exif.block(thumbnail: try Self.thumbnail.get()), into: try Self.picture.get())
    // The offset's entry: tag 0x0201, a long.
    let tag: [UInt8] = [0x02, 0x01, 0, 4, 0, 0, 0, 1]
    let at = try #require(plain.indices.first { plain[$0...].starts(with: tag) }) + tag.count
    for offset: [UInt8] in [[0, 0xFF, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xF0]] {
      var bytes = plain
      bytes.replaceSubrange(at..<at + 4, with: offset)
      #expect(EmbeddedThumbnail.bytes(inJPEG: bytes) == nil)
    }
    for count in [0, 1, 2, 11, 40, 700] { _ = EmbeddedThumbnail.bytes(inJPEG: Array(plain.prefix(count))) }
  }
}
