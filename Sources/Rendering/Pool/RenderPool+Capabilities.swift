import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RenderPool {
  /// Asks a renderer what it can do. Blocks for as long as it takes to start, at most ten seconds.
  ///
  /// - Parameter executable: Path of the worker, as from ``locateWorker(beside:environment:)``.
  /// - Throws: ``RenderFailure`` with the code `worker`.
  public static func capabilities(
    of executable: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RenderFailure) -> WorkerCapabilities {
    let launch = WorkerLaunch(
      executable: executable, arguments: ["--capabilities"],
      environment: environment.filter { passedVariables.contains($0.key) || $0.key.hasPrefix("VIPS_") })
    let process = try WorkerProcess(launch, killSwitch: KillSwitch())
    let stream = BlockingStream(descriptor: process.socket.raw, deadline: .now + .seconds(10))
    var answer: [UInt8] = []
    do throws(RenderFrame.Failure) {
      while answer.count < 1 << 16, let byte = try stream.read(1, isFirst: true).first { answer.append(byte) }
    } catch {
      throw RenderFailure(.worker, "\(executable) does not say what it can do: \(error)")
    }
    guard process.end(within: .seconds(1)) == .status(0),
      let capabilities = try? JSONDecoder().decode(WorkerCapabilities.self, from: Data(answer))
    else {
      let words = process.lastWords()
      throw RenderFailure(
        .worker,
        "\(executable) does not say what it can do\(words.isEmpty ? "" : " (\(words))"); try \(executable) --version"
      )
    }
    return capabilities
  }
}
