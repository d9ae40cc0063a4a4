import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// JPEGs that have lost a part, and others that only look as if they had.
@Suite(.timeLimit(.minutes(10))) struct LostPartsTests {
  /// A file, where its data begin and end, and how many rows of pixels a row of blocks has.
  struct File: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let data: Range<Int>
    let blockRows: Int
    var testDescription: String { name }

    init(_ name: String, _ blockRows: Int) {
      self.name = name
      self.blockRows = blockRows
      let url = Fixtures.folder.appendingPathComponent(name)
      let file = (try? Data(contentsOf: url)).map { [UInt8]($0) } ?? []
      var offset = 2
      while offset + 4 < file.count, file[offset + 1] != 0xDA { offset += 2 + length(file, offset) }
      offset += 2 + length(file, offset)
      bytes = file
      let end = file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xD9 } ?? offset
      data = offset..<end
    }

    func closed(at cut: Int) -> [UInt8] { bytes[..<cut] + [0xFF, 0xD9] }
    func filled(from cut: Int, _ end: [UInt8] = []) -> [UInt8] {
      bytes[..<cut] + [UInt8](repeating: 0, count: data.upperBound + 2 - cut - end.count) + end
    }
  }

  private static func length(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
  }

  static let files = [
    File("jpeg/420.jpg", 16), File("jpeg/444.jpg", 8), File("jpeg/grey.jpg", 8), File("jpeg/rgb.jpg", 8),
    File("jpeg/420-restarts.jpg", 16), File("jpeg/420-scans.jpg", 16), File("jpeg/420-progressive.jpg", 16),
    File("images/progressive.jpg", 16), File("images/cmyk.jpg", 16), File("images/mountains.jpg", 16),
  ]

  private func rows(_ bytes: [UInt8], isStrict: Bool = false) throws -> (all: [[UInt8]], note: String?) {
    let made = try render(bytes, [], .png, isStrict: isStrict)
    let image = try made.image()
    let pixels = try #require(image.stored)
    let count = image.width * image.bands
    return ((0..<image.height).map { Array(pixels[$0 * count..<($0 + 1) * count]) }, made.note)
  }

  private enum Outcome { case refused, noted, quiet }

  /// It is refused, or only the last row of blocks is not as it was, and that is said.
  private func check(
    _ bytes: [UInt8], _ file: File, _ whole: [[UInt8]], _ what: String
  ) throws -> Outcome {
    let refused = failure { try render(bytes, [], .png) }
    if let refused {
      #expect(refused == .truncated || refused == .damaged, "\(what): \(refused)")
      #expect(proof(bytes) == refused, "\(what)")
      return .refused
    }
    let found = try rows(bytes)
    guard found.all == whole || found.note != nil else { return .quiet }
    // Between two scans nothing says that others should follow.
    if found.note?.contains("bits of coefficients") == true { return .noted }
    let last = (whole.count - 1) / file.blockRows * file.blockRows
    // Chroma of one row shows in the next.
    #expect(found.all.prefix(max(last - 2, 0)) == whole.prefix(max(last - 2, 0)), "\(what)")
    #expect(proof(bytes, isStrict: true) != nil || found.all == whole, "\(what)")
    return .noted
  }

  @Test(arguments: files) func whatLostPixelsIsNeverASuccess(file: File) throws {
    let whole = try rows(file.bytes)
    #expect(whole.note == nil)
    #expect(failure { try render(file.closed(at: file.data.lowerBound), [], .png) } == .truncated, "no data")
    let cuts = stride(from: file.data.lowerBound, to: file.data.upperBound, by: max(file.data.count / 40, 1))
    var (passed, quiet) = (0, 0)
    for cut in cuts {
      let forms = [file.closed(at: cut), file.filled(from: cut), file.filled(from: cut, [0xFF, 0xD9])]
      for (index, bytes) in forms.enumerated() {
        switch try check(bytes, file, whole.all, "form \(index), cut at \(cut)") {
        case .refused: break
        case .noted: passed += 1
        case .quiet: quiet += 1
        }
      }
      #expect(failure { try render(Array(file.bytes[..<cut]), [], .png) } != nil, "cut at \(cut), no end")
    }
    // By luck, zeros are just as many codes as are missing.
    #expect(quiet <= 2)
    // Those inside of the last row.
    #expect(passed <= 3 * 40 / (whole.all.count / file.blockRows) + 6, "\(passed)")
  }

  /// Bits that are left out anywhere end the data too early, or are noticed otherwise; luck is rare in a photograph.
  @Test func aHoleIsRefusedOrNoted() throws {
    for file in Self.files.suffix(3) {
      var quiet = 0
      for tenth in 0..<9 {
        let start = file.data.lowerBound + file.data.count * tenth / 10
        let bytes = file.bytes[..<start] + file.bytes[(start + file.data.count / 8)...]
        guard let made = try? render(Array(bytes), [], .png) else { continue }
        if made.note == nil { quiet += 1 }
      }
      #expect(quiet == 0, "\(file.name)")
    }
  }

  @Test(arguments: files) func aMissingEndMarkIsNotMissed(file: File) throws {
    let whole = try rows(file.bytes)
    for bytes in [Array(file.bytes[..<file.data.upperBound]), file.bytes[..<file.data.upperBound] + [0xFF]] {
      let found = try rows(bytes, isStrict: true)
      #expect(found.all == whole.all)
      #expect(found.note == nil)
      #expect(proof(bytes, isStrict: true) == nil)
    }
  }

  /// Surplus bytes and zeros, another kind of marker, a second picture.
  @Test(arguments: files) func whatIsOddIsNotedAndRefusedWhereThatIsWanted(file: File) throws {
    let whole = try rows(file.bytes)
    let (picture, end) = (file.bytes[..<file.data.upperBound], [0xFF, 0xD9] as [UInt8])
    let odd: [(String, [UInt8])] = [
      ("bytes", picture + Array(repeating: 7, count: 30) + end),
      ("zeros", picture + Array(repeating: 0, count: 300) + end),
      ("zeros alone", picture + Array(repeating: 0, count: 300)),
      ("a marker", picture + [0xFF, 0x9E, 0, 3, 1] + end), ("a second picture", picture + file.bytes),
    ]
    for (what, bytes) in odd {
      let found = try rows(bytes)
      #expect(found.all == whole.all, "\(what)")
      // libvips does not look behind the last row.
      if file.name.hasSuffix("cmyk.jpg"), found.note == nil { continue }
      #expect(found.note?.contains("not quite in order") == true, "\(what): \(found.note ?? "nothing")")
      #expect(proof(bytes) == nil, "\(what)")
      #expect(proof(bytes, isStrict: true) == .damaged, "\(what)")
    }
  }

  /// libvips gives up at the hundredth.
  @Test func complaintsAreNotCounted() throws {
    let file = Self.files[4]
    let whole = try rows(file.bytes)
    var bytes = Array(file.bytes[..<file.data.lowerBound])
    for index in file.data {
      let isMark = file.bytes[index] == 0xFF && (0xD0...0xD7).contains(file.bytes[index + 1])
      if isMark { bytes += Array(repeating: 9, count: 20) }
      bytes.append(file.bytes[index])
    }
    // Junk between segments is complained of, each time.
    let junk = (0..<150).flatMap { number -> [UInt8] in [0, 0, 0, 0xFF, 0xFE, 0, 3, UInt8(number)] }
    bytes = bytes.prefix(20) + junk + bytes.dropFirst(20) + [0xFF, 0xD9]
    let found = try rows(bytes)
    #expect(found.all == whole.all)
    #expect(found.note?.contains("extraneous bytes") == true)
    #expect(proof(bytes, isStrict: true) == .damaged)
  }

  /// A component that no scan brings, though all others are whole.
  @Test func aMissingScanIsMissed() throws {
    let file = Self.files[5]
    let scan = try #require(
      file.data.last { file.bytes[$0] == 0xFF && file.bytes[$0 + 1] == 0xDA })
    #expect(proof(file.closed(at: scan)) == .truncated)
    #expect(proof(Array(file.bytes[..<scan])) == .truncated)
  }

  /// Scans of a component each can be read, and libjpeg writes no more than ten blocks of all in one. Before it says so
  /// it has written what stands in front of the pixels.
  @Test func ofAFileThatCannotBeWrittenNothingIsHeld() throws {
    let grey = try TestPicture.plain(8, 8, [90]).jpeg()
    func place(_ marker: UInt8) throws -> Int {
      try #require(grey.indices.dropLast().first { grey[$0] == 0xFF && grey[$0 + 1] == marker })
    }
    let (frame, scan) = (try place(0xC0), try place(0xDA))
    let size: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x42, 0, 2, 0x22, 0, 3, 0x11, 0]
    let note = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    var bytes = grey[..<2] + (0..<100).flatMap { _ in note }
    bytes += grey[2..<frame] + size + grey[(frame + 2 + Self.length(grey, frame))..<scan]
    for part: UInt8 in 1...3 {
      bytes +=
        [0xFF, 0xDA, 0, 8, 1, part, 0, 0, 63, 0] + grey[(scan + 2 + Self.length(grey, scan))...].dropLast(2)
    }
    bytes += [0xFF, 0xD9]
    func megabytes() throws -> Int {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
      return try (#require(Int(pages)) * Int(sysconf(Int32(_SC_PAGESIZE)))) >> 20
    }
    let before = try megabytes()
    for _ in 0..<30 { #expect(throws: RasterFailure.self) { try MendedJPEG(Array(bytes), hasEnd: true) } }
    #expect(try megabytes() - before < 200)
  }
}
