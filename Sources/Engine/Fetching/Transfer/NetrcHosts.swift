import Foundation

/// The hosts that a .netrc file names. libcurl reads the file itself; this says for whom it may where a redirect leads
/// to another server: what stands under `default` is for the servers of the job.
struct NetrcHosts: Sendable {
  private let names: Set<String>

  init(_ netrc: HTTPConfiguration.Netrc) {
    let path: String? =
      switch netrc {
      case .off: nil
      case .standard: NSHomeDirectory() + "/.netrc"
      case .file(let path): path
      }
    let data = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    self.init(text: String(decoding: data, as: UTF8.self))
  }

  /// libcurl takes the first entry that fits, so nothing behind a `default` counts.
  init(text: String) {
    var names: Set<String> = []
    var isMacro = false
    var before = ""
    lines: for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace)
      // A macro goes on to the next empty line.
      if isMacro {
        isMacro = !words.isEmpty
        continue
      }
      for word in words {
        if word.hasPrefix("#"), before.isEmpty { break }
        switch before {
        case "machine": names.insert(word.lowercased())
        case "login", "password", "account": break
        default:
          if word.lowercased() == "default" { break lines }
          if word.lowercased() == "macdef" {
            isMacro = true
            continue lines
          }
          before = word.lowercased()
          continue
        }
        before = ""
      }
    }
    self.names = names
  }

  func names(_ host: String) -> Bool { names.contains(host.lowercased()) }
}
