import Foundation
import Pictures
import Text

extension RenderPool {
  /// Finds the worker's executable: `PREHEAT_RENDER` where it is set, then `preheat-render` beside the
  /// running program, in `../libexec/preheat` as seen from there, and where the Debian package and `make install` put it.
  ///
  /// - Parameter executable: The running program; links are followed.
  /// - Throws: ``RenderFailure`` with the code `worker`, naming the places that were tried.
  package static func locateWorker(
    beside executable: String = "/proc/self/exe",
    environment: [String: String] = ProcessInfo.processInfo.environment, installed: [String] = installed
  ) throws(RenderFailure) -> String {
    if let named = environment["PREHEAT_RENDER"], !named.isEmpty {
      guard isExecutableFile(named) else {
        throw RenderFailure(
          .worker, "PREHEAT_RENDER names \(named), which is not an executable file; correct it or unset it")
      }
      return named
    }
    let folder = PathText.folder(of: SystemCall.realPath(executable) ?? executable)
    let near = [folder, PathText.joined("libexec/preheat", to: PathText.folder(of: folder))]
    let places = near.map { PathText.joined("preheat-render", to: $0) } + installed
    guard let found = places.first(where: isExecutableFile) else {
      throw RenderFailure(
        .worker,
        "preheat-render, which decodes pictures, was not found at \(places.joined(separator: " or ")); install "
          + "Preheat, or run `swift build --product preheat-render`, or name it in PREHEAT_RENDER")
    }
    return found
  }

  /// Programs that use the library lie anywhere.
  package static let installed = [
    "/usr/libexec/preheat/preheat-render", "/usr/local/libexec/preheat/preheat-render",
  ]

  private static func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Asks a renderer what it can do. Blocks for as long as it takes to start, at most a minute: it
  /// loads all its libraries, which takes long in an emulated or busy machine.
  ///
  /// - Parameter executable: Path of the worker, as from ``locateWorker(beside:environment:)``.
  /// - Throws: ``RenderFailure`` with the code `worker`.
  package static func capabilities(
    of executable: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RenderFailure) -> WorkerCapabilities {
    let launch = WorkerLaunch(
      executable: executable, arguments: ["--capabilities"], environment: passed(environment))
    let process = try WorkerProcess(launch, killSwitch: KillSwitch())
    let stream = BlockingStream(descriptor: process.socket.raw, deadline: .now + .seconds(60))
    var answer: [UInt8] = []
    do {
      while answer.count < 1 << 16, let byte = try stream.read(1, isFirst: true).first { answer.append(byte) }
    } catch {
      throw RenderFailure(.worker, "\(executable) does not say what it can do: \(error)")
    }
    let exit = process.end(within: .seconds(1))
    if exit == .status(outOfProcessesStatus) { throw exit.failure(executable: executable, tail: "") }
    guard exit == .status(0),
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
