import FileStore
import Foundation
import Settings
import Syntax

extension SettingType where Value == EntryExpiry {
  /// A period, a date, or `never`.
  package static var expiry: Self {
    Self("WHEN", .text) { scanner, _ throws(Mistake) in try EntryExpiry.read(&scanner) }
  }
}

extension EntryExpiry {
  /// `7d`, `12h`, `30m`, `90s`, `never`, a day, or a moment in UTC.
  package static func read(_ scanner: inout LineScanner) throws(Mistake) -> EntryExpiry {
    let start = scanner.position
    let text = try scanner.wordOrQuoted()
    let help = "7d, 12h, 30m, 90s, never, 2027-01-31 or 2027-01-31T08:00:00Z"
    if text.isEmpty { throw Mistake(start, "an expiry is missing", help: help) }
    if text == "never" { return .never }
    if let seconds = period(text) {
      if seconds > 0 { return .after(seconds: seconds) }
      throw Mistake(
        start, "nothing is written that expires at once", help: "a period above 0, or noDiskWrite")
    }
    guard let date = moment(text) else {
      throw Mistake(start, "\(Mistake.quote(text)) is neither a period nor a date", help: help)
    }
    if date > DistantDate.first {
      throw Mistake(
        start, "a date after 2037 does not survive every archive and file system", help: "write never")
    }
    return .date(date)
  }

  /// What is wrong with a date that has passed when the run starts; nil for all else.
  package func mistake(at offset: Int, now: Date) -> Mistake? {
    guard case .date = self, isPast(at: now) else { return nil }
    return Mistake(
      offset, "this expiry date has passed, so nothing would be stored",
      help: "a later date, a period such as 30d, or never")
  }

  /// Nil for any other text; beyond a century any number is the same.
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
