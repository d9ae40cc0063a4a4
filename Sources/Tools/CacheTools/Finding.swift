/// Something about a cache, a bundle or this machine that a person should know.
package struct Finding: Sendable, Hashable {
  package var code: Code
  package var severity: Severity
  /// Name in the cache folder; nil where the cache or the machine as a whole is meant.
  package var file: String?
  /// Where the ledger or the index knows it.
  package var key: String?
  /// The source's URL without credentials, where the key is known.
  package var source: String?
  /// In words.
  package var message: String
  /// Advice for the user.
  package var advice: String?

  /// What `doctor` found.
  init(_ code: Code, _ message: String, _ severity: Severity = .ok, advice: String? = nil) {
    (self.code, self.message, self.severity, self.advice) = (code, message, severity, advice)
  }

  /// Of a number that has to be large enough, or a part that has to be there.
  init(_ code: Code, _ message: String, isGood: Bool, _ severity: Severity = .warning, advice: String) {
    self.init(code, message, isGood ? .ok : severity, advice: isGood ? nil : advice)
  }

  /// What `verify` found; its code says how bad that is, and what to do.
  init(code: Code, file: String? = nil, key: String? = nil, source: String? = nil, message: String) {
    self.init(code, message, code.isDamage ? .error : .warning, advice: code.advice)
    (self.file, self.key, self.source) = (file, key, source)
  }

  package enum Severity: String, Sendable, Hashable, CaseIterable {
    case ok
    /// It works, but not as well as it could; of a cache, a note.
    case warning
    /// A run would fail, or an app is worse off for it.
    case error
  }

  package var isDamage: Bool { severity == .error }

  /// A fixed set, for programs.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case preheat, machine, worker, libvips, confinement, decoders, encoders, libcurl, sqlite
    case certificates, processors, memory, processes, files
    case fileSystem = "file-system"
    case diskSpace = "disk-space"
    case publishing

    case empty = "verify.empty"
    /// Permissions, a disk's error, too many open files; nothing is known against it.
    case unreadable = "verify.unreadable"
    /// No picture of a format on our table.
    case format = "verify.format"
    /// It ends before its own end mark.
    case truncated = "verify.truncated"
    /// Its decoder gives up.
    case undecodable = "verify.undecodable"
    /// Not the bytes that were stored.
    case digest = "verify.digest"
    /// Its key has another name.
    case name = "verify.name"
    /// The ledger or the index has it, and there is no file.
    case missing = "verify.missing"
    /// The ledger is damaged.
    case ledger = "verify.ledger"
    /// The ledger is of a later release, or another process has locked it.
    case unread = "verify.unread"
    /// The bundle itself cannot be trusted.
    case bundle = "verify.bundle"
    /// It is not signed by a key that was given.
    case signature = "verify.signature"
    /// It is not known what it is.
    case foreign = "verify.foreign"
    case expired = "verify.expired"
    /// Its dates are not those that were written.
    case dates = "verify.dates"
    /// The app's first launch sweeps the folder.
    case stamp = "verify.stamp"
    /// It could not be decoded for want of a worker or of time; nothing is known against it.
    case undecided = "verify.undecided"
  }
}

extension Finding.Code {
  /// An app is worse off for it.
  fileprivate var isDamage: Bool {
    ![.foreign, .expired, .dates, .stamp, .undecided, .unread, .unreadable].contains(self)
  }

  fileprivate var advice: String? {
    switch self {
    case .empty, .format, .truncated, .undecodable, .digest, .name:
      "preheat verify --repair removes it, and the next run makes it again"
    case .missing: "run the job again"
    case .ledger: "preheat verify --repair moves it aside, and so does the next run, which makes a new one"
    case .unread: "use the release that wrote the ledger, or try again when nothing else uses it"
    case .unreadable: "check the file's mode and owner, the disk and ulimit -n"
    case .bundle: "make the bundle again, and do not ship this one"
    case .signature: "do not ship this one; make the bundle again with --sign, or give the right --public-key"
    case .foreign: "remove it, or leave it to the app's own sweep"
    case .expired: "run the job again; it gives new dates to what is still right"
    case .dates: "copy caches with their dates (cp -a, rsync -a); the next run sets this right"
    case .stamp: "run the job again; it writes the date of the last sweep"
    case .undecided: "verify again with more time (--render-timeout)"
    default: nil
    }
  }
}
