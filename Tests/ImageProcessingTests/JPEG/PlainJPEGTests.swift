import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures

/// What libjpeg-turbo gets without libvips, and what not.
@Suite(.timeLimit(.minutes(10))) struct PlainJPEGTests {
  static let jpeg = Result { try TestPicture.noise(40, 30).jpeg() }

  /// A segment behind the file's first marker.
  private static func insert(_ marker: UInt8, _ body: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return Array(jpeg.prefix(2)) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
      + jpeg.dropFirst(2)
  }

  private static func piece(_ number: UInt8, of all: UInt8, _ data: [UInt8]) -> [UInt8] {
    Array("ICC_PROFILE".utf8) + [0, number, all] + data
  }

  @Test func aFileCutAnywhereIsNotTaken() throws {
    let bytes = try Self.jpeg.get()
    #expect(PlainJPEG(bytes)?.image(of: bytes, shrink: 1) != nil)
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(PlainJPEG(cut)?.image(of: cut, shrink: 1) == nil, "\(count) bytes")
    }
  }

  @Test func whatIsTakenOfADamagedFileLibvipsTakesToo() throws {
    let bytes = try Self.jpeg.get()
    var decoded = 0
    for index in stride(from: 2, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[index] ^= 0x41
      guard let plain = PlainJPEG(damaged), let ours = plain.image(of: damaged, shrink: 1) else { continue }
      let theirs = try VipsSource(damaged).image(.jpeg, shrink: 1, isStrict: true).inMemory()
      #expect(
        (ours.width, ours.height, ours.bands) == (theirs.width, theirs.height, theirs.bands), "byte \(index)")
      decoded += 1
    }
    #expect(decoded > 0)
  }

  @Test func whatIsNotInGoodOrderIsLeftToLibvips() throws {
    let bytes = try Self.jpeg.get()
    let comment = Array("x".utf8)
    #expect(PlainJPEG(Self.insert(0xFE, comment, into: bytes)) != nil)
    let exif = Exif.insert(Exif.block(orientation: 3), into: bytes)
    #expect(PlainJPEG(exif)?.orientation == 3)
    let odd: [(String, [UInt8])] = [
      ("two EXIF blocks", Exif.insert(Exif.block(orientation: 1), into: exif)),
      ("an orientation that is none", Exif.insert(Exif.block(orientation: 9), into: bytes)),
      ("arithmetic coding", Self.insert(0xCC, [0, 0], into: bytes)),
      ("a hierarchy", Self.insert(0xDE, comment, into: bytes)),
      ("bytes between segments", Array(bytes.prefix(2)) + [0] + bytes.dropFirst(2)),
      ("fill bytes", Array(bytes.prefix(2)) + [0xFF] + bytes.dropFirst(2)),
      ("a segment of one byte", Array(bytes.prefix(2)) + [0xFF, 0xFE, 0, 1] + bytes.dropFirst(2)),
      ("a segment beyond the end", Array(bytes.prefix(2)) + [0xFF, 0xFE, 0xFF, 0xFF] + bytes.dropFirst(2)),
      ("a profile's second half", Self.insert(0xE2, Self.piece(2, of: 2, [1, 2, 3]), into: bytes)),
      ("a profile's first half", Self.insert(0xE2, Self.piece(1, of: 2, [1, 2, 3]), into: bytes)),
      ("an empty profile", Self.insert(0xE2, Self.piece(1, of: 1, []), into: bytes)),
      ("no bytes", []), ("a marker", [0xFF, 0xD8]),
    ]
    for (name, bytes) in odd { #expect(PlainJPEG(bytes) == nil, "\(name)") }
  }

  @Test func moreScansThanThereCanBeAreLeftToLibvips() throws {
    let picture = try render(TestPicture.noise(16, 16).png(), []).image()
    let bytes = try picture.save("jpegsave_buffer", "Q=85", "interlace=true")
    #expect(PlainJPEG(bytes)?.image(of: bytes, shrink: 1) != nil)
    // The last scan once more and once more; a scan is a segment and the data behind it.
    let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let scan = Array(bytes[last..<bytes.count - 2])
    let bomb = Array(bytes.dropLast(2)) + (0..<200).flatMap { _ in scan } + [0xFF, 0xD9]
    #expect(PlainJPEG(bomb)?.image(of: bomb, shrink: 1) == nil)
  }

  /// Colours that are not sRGB come out nearly as libvips has them.
  @Test(.enabled(if: Corpus.isHere)) func aProfileIsApplied() throws {
    var seen = 0
    for (name, bytes) in try Corpus.files("thumbnails") + Corpus.files("orientation") + Corpus.files("odd")
    where ImageFormat.sniff(bytes) == .jpeg {
      guard let plain = PlainJPEG(bytes), let image = plain.image(of: bytes, shrink: 1), !image.isPlain else {
        continue
      }
      seen += 1
      let theirs = try VipsSource(bytes).image(.jpeg, shrink: 1, isStrict: false).plain().inMemory()
      #expect(meanDifference(try image.plain().inMemory(), theirs) < 2, "\(name)")
    }
    #expect(seen > 0)
  }
}
