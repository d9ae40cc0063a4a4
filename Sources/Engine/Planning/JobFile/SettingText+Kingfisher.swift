import Foundation
import KingfisherCache
import Text

extension SettingText {
  package static func style(_ scanner: inout LineScanner) throws(Mistake) -> KingfisherKeyFormat.Style {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if let style = KingfisherKeyFormat.Style(rawValue: word) { return style }
    let words = KingfisherKeyFormat.Style.allCases.map(\.rawValue)
    throw Mistake(
      start, word.isEmpty ? "a style is missing" : "no style is called \(Mistake.quote(word))",
      help: Mistake.suggestion(
        WordDistance.nearest(word, in: words),
        otherwise: "options for .processor(...), builder for the modifiers of KF and KFImage"))
  }

  package static func bool(_ scanner: inout LineScanner) throws(Mistake) -> Bool {
    let start = scanner.position
    let word = scanner.word()
    if let value = Bool(String(decoding: word, as: UTF8.self)) { return value }
    throw Mistake(start, "true or false is expected, not \(Mistake.quote(word))")
  }

  /// An extension as the app sets it; a dot in front of it would be a second one in the name.
  static func fileExtension(_ scanner: inout LineScanner) throws(Mistake) -> String {
    let start = scanner.position
    let text = try scanner.wordOrQuoted()
    if text.isEmpty { throw Mistake(start, "the extension is empty", help: "take it out, or: jpg") }
    if text.utf8.contains(UInt8(ascii: "/")) {
      throw Mistake(
        start, "an extension with a slash names a sub-folder, and Kingfisher makes none",
        help: "an extension alone, like jpg")
    }
    return text
  }

  /// `7d`, `12h`, `30m`, `90s`, `never`, a day, or a moment in UTC.
  package static func expiry(_ scanner: inout LineScanner) throws(Mistake) -> JobExpiry {
    let start = scanner.position
    let text = try scanner.wordOrQuoted()
    let help = "7d, 12h, 30m, 90s, never, 2027-01-31 or 2027-01-31T08:00:00Z"
    if text.isEmpty { throw Mistake(start, "an expiry is missing", help: help) }
    if text == "never" { return .never }
    if let seconds = period(text) {
      if seconds > 0 { return .after(seconds: seconds) }
      throw Mistake(
        start, "Kingfisher writes nothing that expires at once", help: "a period above 0, or noDiskWrite")
    }
    guard let date = moment(text) else {
      throw Mistake(start, "\(Mistake.quote(text)) is no period and no date", help: help)
    }
    if date > JobExpiry.endOfTime {
      throw Mistake(
        start, "a date after 2037 does not survive every archive and file system", help: "write never")
    }
    return .date(date)
  }

  /// Nil where the text is none; beyond a century any number is the same.
  private static func period(_ text: String) -> Int? {
    let units: [Character: Int] = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
    guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let most = 100 * 366 * 86_400
    guard let number = Int(digits), number <= most / unit else { return most }
    return number * unit
  }

  /// `YYYY-MM-DD`, maybe with `THH:MM:SSZ`; nil for anything else and for days that no calendar has.
  private static func moment(_ text: String) -> Date? {
    let pattern = text.utf8.map { (48...57).contains($0) ? UInt8(ascii: "0") : $0 }
    let day = Array("0000-00-00".utf8)
    guard pattern == day || pattern == day + Array("T00:00:00Z".utf8) else { return nil }
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    let time = numbers.count == 6 ? Array(numbers[3...]) : [0, 0, 0]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(
      calendar: calendar, timeZone: .gmt, year: numbers[0], month: numbers[1], day: numbers[2],
      hour: time[0], minute: time[1], second: time[2])
    return parts.isValidDate ? parts.date : nil
  }
}

extension KingfisherSettings {
  /// A setting that only Kingfisher's jobs have.
  package mutating func read(_ keyword: Keyword, _ scanner: inout LineScanner) throws(Mistake) {
    switch keyword {
    case .style: style = try SettingText.style(&scanner)
    case .pathExtension: naming.pathExtension = try SettingText.fileExtension(&scanner)
    case .autoExtension: naming.autoExtension = try SettingText.bool(&scanner)
    case .forcedExtension: naming.forcedExtension = try SettingText.fileExtension(&scanner)
    case .expires: expiry = try SettingText.expiry(&scanner)
    default: break
    }
  }
}
