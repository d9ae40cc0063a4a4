/// Sets signposts, as `OSSignposter` does on Apple's systems: intervals with a begin and an end, and events.
///
/// A disabled one costs a comparison with nil: arguments are not even made.
public struct Signposter: Sendable {
  private let recorder: SignpostRecorder?

  /// Records nothing.
  public static let disabled = Signposter(recorder: nil)

  /// Sets signposts in a recording.
  public init(_ recorder: SignpostRecorder) { self.init(recorder: recorder) }

  private init(recorder: SignpostRecorder?) { self.recorder = recorder }

  /// Whether anybody records.
  public var isEnabled: Bool { recorder != nil }

  /// - Parameters:
  ///   - time: of `CLOCK_MONOTONIC` where it began earlier than now.
  ///   - parent: The interval that it is a part of.
  ///   - metadata: What is known at the beginning. Host and worker belong here: they choose the track.
  package func beginInterval(
    _ name: SignpostName, at time: Int64? = nil, in parent: SignpostInterval? = nil,
    _ metadata: @autoclosure () -> SignpostMetadata = [:]
  ) -> SignpostInterval {
    guard let recorder else { return SignpostInterval(id: nil) }
    let id = recorder.newID()
    let begin = time ?? SignpostClock.now
    recorder.note(
      .begin(
        SignpostSpan(id: id, parent: parent?.id, name: name, begin: begin, end: begin, metadata: metadata())))
    return SignpostInterval(id: id)
  }

  /// - Parameter metadata: What became known since.
  package func endInterval(
    _ interval: SignpostInterval, _ metadata: @autoclosure () -> SignpostMetadata = [:]
  ) {
    guard let recorder, let id = interval.id else { return }
    recorder.note(.end(id, time: SignpostClock.now, metadata()))
  }

  package func emitEvent(_ name: SignpostName, _ metadata: @autoclosure () -> SignpostMetadata = [:]) {
    guard let recorder else { return }
    let now = SignpostClock.now
    recorder.note(
      .event(SignpostSpan(id: recorder.newID(), name: name, begin: now, end: now, metadata: metadata())))
  }

  /// Adds an interval that is over, measured elsewhere or by others.
  ///
  /// - Parameters:
  ///   - begin, end: Times of `CLOCK_MONOTONIC`.
  ///   - parent: The interval that it is a part of.
  package func addInterval(
    _ name: SignpostName, from begin: Int64, to end: Int64, in parent: SignpostInterval? = nil,
    _ metadata: @autoclosure () -> SignpostMetadata = [:]
  ) {
    guard let recorder else { return }
    let id = recorder.newID()
    recorder.note(
      .interval(
        SignpostSpan(
          id: id, parent: parent?.id, name: name, begin: begin, end: max(begin, end), metadata: metadata())))
  }

  /// Has a quantity looked at from time to time until the recording ends.
  package func sample(_ counter: SignpostCounter, _ value: @escaping @Sendable () -> Int) {
    recorder?.sample(counter, value)
  }

  /// An interval around some work; `succeeded` is false where it throws.
  package func withInterval<Value, Failure: Error>(
    _ name: SignpostName, in parent: SignpostInterval? = nil,
    _ metadata: @autoclosure () -> SignpostMetadata = [:], _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let interval = beginInterval(name, in: parent, metadata())
    do throws(Failure) {
      let value = try work()
      endInterval(interval)
      return value
    } catch {
      endInterval(interval, [.succeeded: .flag(false)])
      throw error
    }
  }
}

/// An interval that has begun, to be handed back at its end.
package struct SignpostInterval: Sendable {
  /// Nil without a recording.
  let id: UInt64?
}
