import Foundation
import TestSupport

@testable import PreheatCommand

/// A stream whose text can be read back.
final class Capture: Sendable {
  let stream: TextStream
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let descriptor = open(folder.file("text").path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StreamFailure(code: errno) }
    stream = TextStream(descriptor: descriptor)
  }

  var text: String { (try? String(contentsOf: folder.file("text"), encoding: .utf8)) ?? "" }

  deinit { close(stream.descriptor) }
}
