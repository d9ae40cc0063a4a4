/// Times as people read them.
package enum DurationText {
  /// `250 µs`, `1.3 ms`, `4.2 s`, `2 min 5 s`.
  package static func text(_ seconds: Double) -> String {
    // A record of a stranger's may say anything.
    if seconds < 0.000_999_95 { return "\(Int((max(seconds, -1e12) * 1e6).rounded())) µs" }
    if seconds < 0.999_95 { return "\(tenths(seconds * 1e3)) ms" }
    return wholeSeconds(seconds)
  }

  /// `0.4 s`, `2 min 5 s`: never a smaller unit.
  package static func wholeSeconds(_ seconds: Double) -> String {
    if seconds < 60 { return "\(tenths(seconds)) s" }
    let whole = Int(min(seconds, 1e15).rounded())
    return "\(whole / 60) min \(whole % 60) s"
  }

  /// `3 d`, `5 h`, `12 min`, `4 s`: the largest unit alone; `in 4 s` for what is still to come.
  package static func age(_ seconds: Double) -> String {
    let sign = seconds < 0 ? "in " : ""
    let size = min(abs(seconds), 1e15)
    return switch size {
    case 172_800...: sign + "\(Int((size / 86_400).rounded())) d"
    case 7200...: sign + "\(Int((size / 3600).rounded())) h"
    case 120...: sign + "\(Int((size / 60).rounded())) min"
    default: sign + "\(Int(size.rounded())) s"
    }
  }

  /// `0:42`, `12:05`, `1:02:03`, rounded up.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    return whole < 3600
      ? "\(minutes):\(two(whole % 60))" : "\(whole / 3600):\(two(minutes)):\(two(whole % 60))"
  }

  private static func tenths(_ value: Double) -> String { NumberText.plain((value * 10).rounded() / 10) }
}
