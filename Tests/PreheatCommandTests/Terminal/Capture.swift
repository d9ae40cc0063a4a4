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

/// What a command line said and how it ended, without a process.
struct Outcome {
  var code: Int32
  var output: String
  var messages: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  init(
    of arguments: [String], environment: [String: String] = [:], table: OptionTable = .preheat
  ) async throws {
    let (output, messages) = (try Capture(), try Capture())
    code = await PreheatCommand.run(
      arguments: arguments, environment: environment, output: output.stream, messages: messages.stream,
      table: table)
    self.output = output.text
    self.messages = messages.text
  }
}
