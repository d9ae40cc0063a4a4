/// One row of the table of settings: what it is called, where it may stand, how its text is read, and what help and
/// the docs say of it.
///
/// The job parser, the flags, the variables, help, the man page, completions and `docs/` read this value, so a setting
/// exists everywhere or nowhere.
package struct Setting: Sendable {
  /// Where a setting may stand.
  package struct Places: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let job = Places(rawValue: 1)
    package static let flag = Places(rawValue: 2)
    package static let variable = Places(rawValue: 4)
    /// Behind the source of a job line.
    package static let line = Places(rawValue: 8)
    /// A line of a job that a flag and a variable override.
    package static let all: Places = [.job, .flag, .variable]
    /// The same, and a job line may have it for its own requests.
    package static let ofRequests: Places = [.job, .flag, .variable, .line]
    /// About the command, not about a job.
    package static let command: Places = [.flag, .variable]
  }

  /// The group that help shows a setting in, in this order.
  package enum Topic: String, Sendable, Hashable, CaseIterable {
    case job = "Job"
    case sources = "Sources"
    case network = "Network"
    case pictures = "Pictures"
    case limits = "Limits"
    case output = "Output"
    case reports = "Reports"
    case general = "General"
  }

  /// What commands do with jobs and caches. A command offers the settings that can change something it does.
  package struct Work: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Keys and file names of requests.
    package static let keys = Work(rawValue: 1)
    /// Which job lines there are, and what they mean.
    package static let lines = Work(rawValue: 2)
    /// Which folder a job's cache is.
    package static let place = Work(rawValue: 4)
    /// Reading a cache folder that exists.
    package static let folder = Work(rawValue: 8)
    /// Comparing a cache with the app's size limit.
    package static let sizes = Work(rawValue: 16)
    package static let encoding = Work(rawValue: 32)
    package static let decoding = Work(rawValue: 64)
    package static let fetching = Work(rawValue: 128)
    /// How results are drawn.
    package static let drawing = Work(rawValue: 256)
    package static let pruning = Work(rawValue: 512)
    /// Comparing a cache with what a bundle may have.
    package static let budget = Work(rawValue: 1024)
    /// How results are scaled, which is said as well.
    package static let scaling = Work(rawValue: 2048)
    /// Everything that a run does.
    package static let run: Work = [
      .keys, .lines, .place, .sizes, .encoding, .decoding, .drawing, .fetching, .pruning, .budget,
      .scaling,
    ]
  }

  /// What a second occurrence means.
  package enum Repetition: Sendable, Hashable {
    /// In a job it is an error; of flags the last one holds.
    case single
    /// All hold; a variable's text is split at white space and commas.
    case words
    /// All hold; a variable's text is split at line ends.
    case lines
  }

  /// The word in a job, and in capitals the variable.
  package var name: String
  /// The flag's name where it is another one.
  package var flagName: String?
  package var short: Character?
  package var places: Places
  package var topic: Topic
  package var valueName: String
  package var form: SettingForm
  package var repetition = Repetition.single
  /// One line, short enough for `-h`.
  package var summary: String
  /// Further sentences for the places that have room.
  package var detail = ""
  /// The default, in words.
  package var defaultText: String?
  /// The value that the option alone stands for, of those with choices; others need theirs.
  package var bare: String?
  /// A line of a job with it, done right.
  package var example: String
  /// Whether `-h` shows it.
  package var isCommon = false
  /// The work that it can change, of a setting of jobs.
  package var changes: Work
  /// The client that alone has it, by name; nil for what all have.
  package var owner: String?

  /// Reads the text behind the name into the values. The variables are for those whose text may name some.
  package var read: @Sendable (inout LineScanner, inout SettingValues, JobVariables) throws(Mistake) -> Void

  /// The name of the variable: `PREHEAT_SIZE_LIMIT`.
  package var variable: String { Self.variable(of: flag) }
  package var flag: String { flagName ?? name }

  package static func variable(of name: String) -> String {
    "PREHEAT_" + name.uppercased().replacing("-", with: "_")
  }

  /// A row whose value stands under a key.
  package init<Value>(
    _ key: SettingKey<Value>, _ type: SettingType<Value>, in places: Places, _ topic: Topic,
    _ summary: String, example: String? = nil, detail: String = ""
  ) {
    self.init(
      name: key.name, value: (type.name, type.form), places: places, topic: topic, summary: summary,
      example: example ?? "\(key.name) \(type.name)"
    ) { scanner, values, _ throws(Mistake) in
      values[key] = try type.read(&scanner, key.name)
    }
    self.detail = detail
  }

  /// A row that collects: what is read is added to what is there.
  package init<Element>(
    list key: SettingKey<[Element]>, valueName: String, in places: Places, _ topic: Topic, _ summary: String,
    example: String,
    read: @escaping @Sendable (inout LineScanner, [Element], JobVariables) throws(Mistake) -> [Element]
  ) {
    self.init(
      name: key.name, value: (valueName, .text), places: places, topic: topic, summary: summary,
      example: example
    ) { scanner, values, variables throws(Mistake) in
      let known = values[key]
      values[key] += try read(&scanner, known, variables).filter { !known.contains($0) }
    }
    repetition = .lines
  }

  /// A row that collects values of a type.
  package init<Element>(
    list key: SettingKey<[Element]>, _ type: SettingType<Element>, in places: Places, _ topic: Topic,
    _ summary: String, example: String, detail: String = ""
  ) {
    self.init(list: key, valueName: type.name, in: places, topic, summary, example: example) {
      scanner, _, _ throws(Mistake) in [try type.read(&scanner, key.name)]
    }
    form = type.form
    self.detail = detail
  }

  /// - Parameter value: what stands for the value in help, and what it looks like.
  package init(
    name: String, value: (name: String, form: SettingForm), places: Places, topic: Topic, summary: String,
    example: String,
    read:
      @escaping @Sendable (inout LineScanner, inout SettingValues, JobVariables) throws(Mistake) -> Void
  ) {
    self.name = name
    (valueName, form) = value
    self.places = places
    self.topic = topic
    self.summary = summary
    self.example = example
    self.read = read
    changes =
      switch topic {
      case .sources, .network: .fetching
      case .pictures, .limits: .decoding
      default: .keys
      }
  }

  /// The same row with some of its columns filled in.
  package func with(_ change: (inout Setting) -> Void) -> Setting {
    var copy = self
    change(&copy)
    return copy
  }

  /// The same row with more to say about it.
  ///
  /// - Parameters:
  ///   - usual: the default, in words.
  ///   - changes: the work that it can change, if it is another than that of its topic.
  package func with(detail: String? = nil, usual: String? = nil, changes: Work? = nil) -> Setting {
    with {
      $0.detail = detail ?? $0.detail
      $0.defaultText = usual ?? $0.defaultText
      $0.changes = changes ?? $0.changes
    }
  }

  /// The same row where `-h` shows it.
  package var common: Setting { with { $0.isCommon = true } }
}

extension Setting {
  /// Reads a whole text, of a flag or a variable.
  package func value(
    of text: ArraySlice<UInt8>, into values: inout SettingValues, variables: JobVariables = JobVariables()
  ) throws(Mistake) {
    var scanner = LineScanner(text)
    scanner.skipSpaces()
    if scanner.atEnd { throw Mistake(0, "\(name) is empty", help: example) }
    try read(&scanner, &values, variables)
    try scanner.expectEnd()
  }

  /// The parts of a variable's text that are values of their own.
  package func parts(ofVariable text: String) -> [String] {
    switch repetition {
    case .single: [text]
    case .words: text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    case .lines: text.split(whereSeparator: \.isNewline).map(String.init)
    }
  }
}

/// All settings, in the order in which help shows them.
package struct SettingTable: Sendable {
  package let rows: [Setting]
  private let byWord: [String: Int]

  package init(_ rows: [Setting]) {
    self.rows = rows
    var byWord: [String: Int] = [:]
    for (index, row) in rows.enumerated() where byWord[row.name] == nil { byWord[row.name] = index }
    self.byWord = byWord
  }

  /// The row that a job's line begins with.
  package func row(ofJobWord word: String) -> Setting? {
    // No name is as long, and a stranger's word may take long to look for.
    guard word.utf8.count <= 64 else { return nil }
    return byWord[word].map { rows[$0] }.flatMap { $0.places.contains(.job) ? $0 : nil }
  }

  package func row(named name: String) -> Setting? { byWord[name].map { rows[$0] } }

  /// Rows that may stand in a job.
  package var jobRows: [Setting] { rows.filter { $0.places.contains(.job) } }
}
