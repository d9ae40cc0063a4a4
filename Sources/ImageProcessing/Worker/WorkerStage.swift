import CSandbox

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
  }

  private let number: UnsafeMutablePointer<Int32>

  /// Nil where there is no memory.
  init?() {
    guard let number = ps_shared_number() else { return nil }
    self.number = number
  }

  func set(_ stage: Stage) { number.pointee = stage.rawValue }

  var isRendering: Bool { number.pointee == Stage.rendering.rawValue }
}
