import Foundation
import JobSupport
import TestSupport
import Testing

@testable import JobFile
@testable import Pictures

@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct JobFileFuzzTests {
  private static let valid = #"""
    client  nuke 12
    cache   out/cache   # comment
    policy  automatic
    scale   2 3
    encode  jpeg(quality: 80)
    strip-query  token X-Amz-*
    chain   card   = resize(width: 320)
    chain   avatar = resize(size: 44x44, crop: true) | circle(border: (color: rgba(1, 0, 0, 0.5), width: 2))
    chain   list   = thumbnail(maxPixelSize: 256) | card
    header  img.example.com  Authorization: Bearer ${TOKEN}
    allow-private  media.intranet [::1]:80
    default card list
    https://img.example.com/p/1.jpg?token=a  card|circle list as "x" id="a \" b" reload
    "https://bob:pw@img.example.com/ü 2.jpg" card id=product-2 sha256=00 encode=jpeg(quality: 3)
    file:///srv/art/logo.png  card original priority=high
    include /nonexistent/urls.txt card

    """#

  private static let kingfisher = #"""
    client  kingfisher 8.7
    cache   out/cache
    style   builder
    path-extension "jpg"
    auto-extension false
    forced-extension heic
    expires 30d
    chain   avatar = roundCorner(radius: widthFraction(0.5), roundingCorners: topLeft+bottomRight, backgroundColor: red)
    chain   framed = border(color: gray(0, 1), radius: point(2)) | cropping(size: 8x8, anchor: (0, 1))
    https://img.example.com/p/1.jpg?token=a  avatar|framed blend(blendMode: multiply) as "x" expires=2027-01-31T08:00:00Z
    https://img.example.com/p/2.jpg  tint(color: rgba(1, 0, 0, 0.5)) expires=7d

    """#

  /// Any bytes are fine: what comes out are entries and diagnostics whose places lie in the text.
  @Test("Changed jobs never crash the parser", arguments: 0..<4)
  func mutations(part: Int) {
    let valid = Data((part % 2 == 0 ? Self.valid : Self.kingfisher).utf8)
    for number in 0..<FaultCount.of(2500, full: 250_000) {
      let bytes = [UInt8](Mutation.damage(valid, seed: number * 4 + part))
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).count
      let job = JobFileReading(.text(name: "fuzz.job", bytes: bytes), environment: ["TOKEN": "t"])
      for diagnostic in job.diagnostics where !(1...lines).contains(diagnostic.line) || diagnostic.column < 1
      {
        Issue.record("a diagnostic lies outside the text: \(diagnostic)")
      }
      for entry in job.entries where !entry.chains.allSatisfy(job.chains.rows.indices.contains) {
        Issue.record("an entry has a chain that does not exist")
      }
      if number.isMultiple(of: 5) { _ = job.diagnostics.rendered() }
    }
  }

  @Test func prefixesOfAJobNeverCrashTheParser() {
    let valid = Array(Self.valid.utf8)
    for end in valid.indices {
      _ = JobFileReading(.text(name: "fuzz.job", bytes: Array(valid[..<end]))).diagnostics.rendered()
    }
  }

  @Test func deepAndLongTextIsNoDanger() {
    for text in [
      "(", "|", "\"", "circle|", "a(", "a:", "x=(", "\\", "card ", "((", "as \"x\" ", "resize(width: 3) | ",
    ] {
      let line = "/1.png c" + String(repeating: text, count: 20_000)
      let job = JobFileReading(JobFileReading.head + line)
      #expect(job.diagnostics.hasErrors)
    }
  }
}
