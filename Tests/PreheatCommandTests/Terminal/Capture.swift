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

  var text: String { (try? folder.text("text")) ?? "" }

  deinit { close(stream.descriptor) }
}

typealias Outcome = BuiltCommand.Result

extension Outcome {
  var code: Int32 { status }

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// A command line without a process.
  init(
    of arguments: [String], environment: [String: String] = [:], table: OptionTable = .preheat
  ) async throws {
    let (output, messages) = (try Capture(), try Capture())
    let code = await PreheatCommand.run(
      arguments: arguments, environment: environment, output: output.stream, messages: messages.stream,
      table: table)
    self.init(arguments, status: code, output: output.text, messages: messages.text)
  }
}
