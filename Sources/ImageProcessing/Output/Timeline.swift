import Rendering
import Signposts

/// Notes what one picture's work took, where the request asks for it. Used by one thread.
final class Timeline {
  private(set) var intervals: [RenderInterval]?
  /// Which of the request's outputs is being made.
  var output: Int?

  init(isOn: Bool) {
    intervals = isOn ? [] : nil
  }

  /// - Parameter step: Which of the output's steps it is.
  func measure<Value, Failure: Error>(
    _ name: SignpostName, step: Int? = nil, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard intervals != nil else { return try work() }
    let begin = SignpostClock.now
    defer {
      intervals?.append(
        RenderInterval(name: name, begin: begin, end: SignpostClock.now, output: output, step: step))
    }
    return try work()
  }
}
