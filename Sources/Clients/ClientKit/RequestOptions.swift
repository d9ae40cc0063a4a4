import FileStore
import Foundation
import Pictures
import Syntax
import Text

/// The options of a job line; they mirror the client's request.
package struct RequestOptions: Hashable, Sendable {
  private var id: ByteText?
  package var priority = RequestPriority.normal
  /// `reload`: fetch and render again, whatever is there.
  package var reload = false
  /// `offline`: nothing is fetched; what is not in the cache fails.
  package var offline = false
  package var noDiskRead = false
  /// Nothing but the request's own entry is asked for, as a prefetcher does; no job line says so.
  package var readsOwnAlone = false
  /// The request's own entry is passed over; no job line says so.
  package var skipsOwn = false
  package var noDiskWrite = false
  /// `sha256=`: lower-case hex that the body must match.
  package var sha256: String?
  /// `encode=`
  package var encoding: EncodingChoice?
  /// `embedded=`
  package var embedded: EmbeddedUse?
  /// `expires=`, where the client's entries expire.
  package var expiry: EntryExpiry?
  /// Settings of the client's requests that a line has for itself, as written, by their names.
  package var settings: [String: String] = [:]

  package init() {}

  /// `id=`: replaces the URL in the key.
  package var imageID: String? {
    get { id?.text }
    set { id = newValue.map { ByteText($0) } }
  }

  /// Nothing is looked up.
  package var readsNothing: Bool { noDiskRead || reload }

  package static let none = RequestOptions()

  /// The same entry for a line that looks up what `other` does.
  package func reading(as other: RequestOptions) -> RequestOptions {
    var options = self
    (options.reload, options.offline, options.noDiskRead) = (other.reload, other.offline, other.noDiskRead)
    return options
  }

  /// One entry that two job lines ask for, whichever of them comes first.
  package func merged(with other: RequestOptions) -> RequestOptions {
    var merged = self
    merged.id = id ?? other.id
    merged.priority = max(priority, other.priority)
    merged.reload = reload || other.reload
    // What one of two lines may fetch, read or store is fetched, read or stored.
    merged.offline = offline && other.offline
    merged.noDiskRead = noDiskRead && other.noDiskRead
    merged.noDiskWrite = noDiskWrite && other.noDiskWrite
    merged.sha256 = sha256 ?? other.sha256
    merged.encoding = encoding ?? other.encoding
    merged.embedded = embedded ?? other.embedded
    merged.expiry = [expiry, other.expiry].compactMap { $0 }.max()
    return merged
  }
}

/// How urgent a request is.
package enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  case veryLow, low, normal, high, veryHigh

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// -2 to 2; 0 is normal.
  package var rank: Int { rawValue - Self.normal.rawValue }
}

/// What a source's URL begins with, of those that a job may name.
package enum SourceScheme: String, Sendable, Hashable {
  case http, https, file, data

  package var isWeb: Bool { self == .http || self == .https }
}

/// When an entry expires, as `expires` says it.
package enum EntryExpiry: Hashable, Comparable, Sendable {
  /// So far ahead that neither shipping nor a second run matters, see `DistantDate`.
  case never
  /// Seconds from the start of the run.
  case after(seconds: Int)
  case date(Date)

  /// The one that holds where two lines say different things is the greater: a longer period, a later date, a date
  /// rather than a period (which of them is later is not known before the run), and `never` above all.
  package static func < (a: EntryExpiry, b: EntryExpiry) -> Bool {
    switch (a, b) {
    case (.after(let a), .after(let b)): a < b
    case (.date(let a), .date(let b)): a < b
    case (.after, .date), (.after, .never), (.date, .never): true
    case (.date, .after), (.never, _): false
    }
  }

  /// The date that an entry gets: whole seconds.
  package func date(from start: Date) -> Date {
    switch self {
    case .never: DistantDate.from(start)
    case .after(let seconds):
      min(
        Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.up) + Double(seconds)),
        DistantDate.from(start))
    case .date(let date): Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    }
  }

  /// Whether a run that starts then would store nothing: a date that has passed.
  package func isPast(at start: Date) -> Bool { date(from: start) <= start }

  /// `never`, seconds (`604800`) or a date (`@1767225600`, seconds since 1970): how a ledger keeps it.
  package var text: String {
    switch self {
    case .never: "never"
    case .after(let seconds): "\(seconds)"
    // fits: no date that is read lies beyond the year 9999.
    case .date(let date): "@\(Int(date.timeIntervalSince1970.rounded(.up)))"
    }
  }

  /// Reads what ``text`` writes. A ledger may have been damaged: nothing lies beyond the year 9999.
  package init?(text: String) {
    let isDate = text.hasPrefix("@")
    if text == "never" {
      self = .never
    } else if let number = Int(text.dropFirst(isDate ? 1 : 0)) {
      let seconds = min(max(number, 0), 253_402_300_799)
      self = isDate ? .date(Date(timeIntervalSince1970: Double(seconds))) : .after(seconds: seconds)
    } else {
      return nil
    }
  }
}

/// When a run takes place, for the dates that it writes. `SOURCE_DATE_EPOCH` (reproducible-builds.org) stands in for
/// now.
package struct RunDate: Hashable, Sendable {
  /// What expiry dates are counted from.
  package var start: Date

  package init(start: Date) { self.start = start }

  package init(environment: [String: String], now: Date = Date()) {
    let seconds = environment["SOURCE_DATE_EPOCH"].flatMap(TimeInterval.init)
      // No other moment has a date that files and people can hold.
      .flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
    start = seconds.map(Date.init(timeIntervalSince1970:)) ?? now
  }

  /// The start of the day, UTC: two runs of a day leave identical access dates.
  package var day: Date {
    Date(timeIntervalSince1970: (start.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
  }
}

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
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
    let most = 100 * 366 * 86_400
    guard let number = Int(digits), number <= most / unit else { return most }
    return number * unit
  }

  /// `YYYY-MM-DD`, maybe with `THH:MM:SSZ`; nil for anything else and for days that no calendar has.
  private static func moment(_ text: String) -> Date? {
    let whole = text.utf8.count == "0000-00-00".utf8.count ? text + "T00:00:00Z" : text
    // Foundation reads 30 February as 2 March.
    return (try? Date(whole, strategy: .iso8601)).flatMap { $0.formatted(.iso8601) == whole ? $0 : nil }
  }
}
