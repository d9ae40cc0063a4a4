/// That a host wants fewer connections.
enum WidthSign: Sendable, Hashable {
  /// It says so, or broke off.
  case lessWanted
  /// It gave no answer over one of several connections.
  case oneTooMany
}

/// How many transfers to one host run beside each other, each over a connection of its own, where no fixed number is
/// asked for: more as long as answers come faster with more, half as many after a sign of trouble.
///
/// TCP finds its window so (RFC 5681). A plain value: it takes answers and moments.
struct HostWidth: Sendable {
  /// The transfers that may run now.
  private(set) var now: Int
  /// The most there were, and how often trouble halved them.
  private(set) var widest: Int
  private(set) var halvings = 0

  private let usual: Int
  private var most: Int
  /// Answers that say nothing yet: their transfers began before the last change.
  private var early = 0
  /// Transfers that ran at the last sign of trouble: theirs is the same one.
  private var concerned = 0
  private var answers = 0
  private var since: Duration?
  /// Answers a second with the width before; 0 where that is not known.
  private var rateBefore = 0.0
  private var widthBefore: Int
  /// The first steps are large, since most lists are short; after the first that was too large they are small.
  private var isFeelingItsWay = false

  /// More transfers have to bring so much more.
  private static let leastGain = 1.1
  /// Answers after which a width that brought nothing more is tried again.
  private static let patience = 256

  init(usual: Int, most: Int) {
    (now, widest, widthBefore) = (usual, usual, usual)
    (self.usual, self.most) = (usual, max(usual, most))
    early = usual
  }

  var isUnusual: Bool { widest > usual || halvings > 0 }

  /// - Parameter isFull: others wait for a place at this host.
  mutating func noteAnswer(at moment: Duration, isFull: Bool) {
    if concerned > 0 { concerned -= 1 }
    if early > 0 {
      early -= 1
      if early == 0 { (answers, since) = (0, moment) }
      return
    }
    // A host that has nothing to do shows nothing.
    guard isFull, let since else { return begin(after: now) }
    answers += 1
    guard answers >= 2 * now, moment > since else { return }
    let rate = Double(answers) / ((moment - since) / .seconds(1))
    // It gets the usual number back in any case.
    if now > usual, rate < rateBefore * Self.leastGain {
      (now, rateBefore, isFeelingItsWay) = (widthBefore, 0, true)
      return begin(after: Self.patience)
    }
    guard now < most else { return begin(after: Self.patience) }
    (widthBefore, rateBefore) = (now, rate)
    now = min(most, isFeelingItsWay ? now + 1 : 2 * now)
    widest = max(widest, now)
    begin(after: now)
  }

  /// The host asks for less, or breaks under what it has.
  ///
  /// - Parameter running: transfers that still run.
  mutating func noteTrouble(running: Int) {
    if concerned > 0 {
      concerned -= 1
      return
    }
    isFeelingItsWay = true
    halvings += 1
    most = max(usual, now - 1)
    now = max(1, now / 2)
    (widthBefore, rateBefore) = (now, 0)
    concerned = running
    begin(after: max(running, 2 * now))
  }

  private mutating func begin(after answers: Int) {
    early = answers
    since = nil
  }
}
