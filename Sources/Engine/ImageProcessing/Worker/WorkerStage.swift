import CSandbox
import Rendering

/// How far a worker is with its request, known to its supervisor too.
///
/// The number lies in memory that both processes share. It is written by one thread of one process, and read by
/// another process only after that one has ended.
struct WorkerStage {
  enum Stage: Int32 {
    /// Some of a request or an answer may be on its way: the stream is of no use if the worker dies now.
    case talking
    /// A request is read to its end and nothing of the answer is written.
    case rendering
    /// An answer is out whole, and the next request is for another process.
    case leaving
  }

  private let number: UnsafeMutablePointer<Int32>

  /// Nil where there is no memory.
  init?() {
    guard let number = ps_shared_number() else { return nil }
    self.number = number
  }

  func set(_ stage: Stage) { number.pointee = stage.rawValue }

  var isRendering: Bool { number.pointee == Stage.rendering.rawValue }
  var isLeaving: Bool { number.pointee == Stage.leaving.rawValue }
}

/// What a worker process may do: read requests, write answers, and hold so much memory. Decoders have
/// bugs; this bounds what they cost.
enum WorkerSandbox {
  /// What the libraries' code takes of a worker's memory: the limit is on private memory, threads' stacks
  /// included, and with that code it keeps resident memory below what was asked for.
  private static let codeBytes = 72 << 20
  private static let openFiles: Int32 = 64

  /// Before anything is drawn or libvips opened, so that all of it counts, and a process of one thread can do it: no
  /// other process is seen from here on.
  ///
  /// - Parameter memory: resident bytes of the process.
  /// - Returns: nothing where the system does not allow namespaces, as many containers do not.
  static func enter(memory: Int) -> Confinement {
    _ = ps_limit_process(max(memory - codeBytes, codeBytes), openFiles)
    return ps_enter_namespaces() == 0 ? .namespaces : []
  }

  /// No network, files or programs from here on.
  ///
  /// - Returns: the layers that hold.
  static func confine() -> Confinement { Confinement(rawValue: Int(ps_confine())) }
}
