import CacheStore
import FileStore
import Foundation
import JobFile
import Text

/// A file that a command writes beside its work: it replaces nothing that the command reads, and without `--force`
/// nothing of another kind.
struct OutputCheck {
  var option: String
  /// The file, or the folder of a page.
  var place: String
  /// What files of this kind have near their beginning.
  var mark: String
  var isPage = false

  static func page(in folder: String) -> Self {
    Self(option: "--report", place: folder, mark: " – Preheat</title>", isPage: true)
  }

  private var path: String { isPage ? "\(place)/index.html" : place }

  /// What lies in a cache an app takes for an entry, and the next run would be in its way.
  func check(outside cache: String) throws(UsageError) {
    guard let folder = StateFolder(cache: cache).place(of: place) else { return }
    throw UsageError(
      .invalidValue, "\(option): \(place) is inside \(folder)", suggestion: "choose a place outside of it")
  }

  /// - Parameter inputs: paths that the command reads; what jobs name is known as soon as they are read.
  func check(inputs: [String] = [], isForced: Bool) throws(UsageError) {
    for input in inputs where input != "-" { ReadFiles.current.note(input) }
    if ReadFiles.current.holds(path) {
      throw UsageError(.conflict, "\(option): this command reads \(path)", suggestion: "name another file")
    }
    guard !isForced, !isOurs else { return }
    throw UsageError(
      .conflict, "\(option): \(path) exists and was not made by this option",
      suggestion: "name another file, or replace it with --force")
  }

  /// Whether there is nothing to lose: no file, an empty one, one of this kind, a device or a pipe.
  var isOurs: Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return SystemCall.meansAbsence(errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return true }
    let file = URL(fileURLWithPath: path)
    let head = try? FileStore(existing: file.deletingLastPathComponent()).beginning(
      of: file.lastPathComponent, count: 64 << 10)
    return head.map { Data($0).range(of: Data(mark.utf8)) != nil } ?? false
  }
}
