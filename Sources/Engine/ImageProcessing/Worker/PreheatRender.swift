import CSandbox
import CVips
import Foundation
import Pictures
import Rendering
import Text

/// The whole of the program `preheat-render`.
package enum PreheatRender {
  /// - Returns: the exit code: 0 when the requests ended in good order, 1 when they did not, 2 for wrong use.
  package static func main(_ arguments: [String]) -> Int32 {
    switch arguments.dropFirst() {
    case ["--version"]:
      print("preheat-render \(PreheatVersion.text) (libvips \(VipsLibrary.version))")
      return 0
    case ["--capabilities"]:
      return printCapabilities()
    default:
      guard let options = Options(arguments.dropFirst()) else {
        return refuse(
          "preheat-render takes --version, --capabilities, or --memory with a number of bytes and "
            + "--allow-unconfined")
      }
      return serve(options)
    }
  }

  private struct Options {
    var memory = RenderLimits.workerBytes
    var allowsUnconfined = false

    init?(_ arguments: ArraySlice<String>) {
      var rest = arguments
      while let word = rest.popFirst() {
        switch word {
        case "--allow-unconfined": allowsUnconfined = true
        case "--memory":
          guard let memory = rest.popFirst().flatMap({ Int($0) }) else { return nil }
          self.memory = memory
        default: return nil
        }
      }
    }
  }

  private static func serve(_ options: Options) -> Int32 {
    guard isatty(STDIN_FILENO) == 0 else {
      return refuse(
        "preheat-render draws pictures for `preheat` and is started by it; run `preheat --help` instead")
    }
    let namespaces = WorkerSandbox.enter(memory: options.memory)
    return WorkerSupervisor(namespaces: namespaces, allowsUnconfined: options.allowsUnconfined).run()
  }

  /// Under the limits and in the confinement of a worker: what it can do there is what counts.
  private static func printCapabilities() -> Int32 {
    let namespaces = WorkerSandbox.enter(memory: RenderLimits.workerBytes)
    guard pv_open() != nil else { return refuse("preheat-render: libvips could not be started") }
    pv_open_plugins()
    // A process that has left for another namespace starts no threads any more; a copy of it does.
    let worker = ps_fork()
    if worker > 0 { ps_end_like(ps_wait(worker)) }
    guard worker == 0 else { return refuse("preheat-render: there is no room for another process") }
    let capabilities = WorkerCapabilities.probe(namespaces.union(WorkerSandbox.confine()))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(capabilities) else { return 1 }
    let line = Array(data) + [UInt8(ascii: "\n")]
    return line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) } == line.count ? 0 : 1
  }

  private static func refuse(_ message: String) -> Int32 {
    let line = Array("\(message)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return 2
  }
}
