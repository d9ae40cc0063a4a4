import Foundation
import TestSupport
import Testing

/// A `console` block: lines that begin with `$ ` are commands, the others are what they print.
///
/// Not all that a command prints has to be shown: shown lines have to come in their order. `…` stands for anything, in a
/// line or as one. What differs from machine to machine is left out of the comparison: sizes, times, digests of pictures.
struct PageSession {
  struct Step {
    var command: String
    var shown: [String] = []
    /// The exit code that `echo $?` shows; 0 where none is shown.
    var status: Int32 = 0
  }

  let steps: [Step]

  init(_ block: PageBlock) {
    var steps: [Step] = []
    for line in block.lines {
      if line == "$ echo $?" {
        steps.append(Step(command: ""))
      } else if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if let last = steps.indices.last {
        if steps[last].command.isEmpty, last > 0, let code = Int32(line) {
          steps.removeLast()
          steps[last - 1].status = code
        } else {
          steps[last].shown.append(line)
        }
      }
    }
    self.steps = steps
  }

  /// The first shown line that the output does not have, nil if it has all.
  static func missing(_ shown: [String], in output: String) -> String? {
    var rest = output.split(separator: "\n", omittingEmptySubsequences: false).map { plain(String($0)) }[...]
    for line in shown where line != "…" {
      guard let index = rest.firstIndex(where: { matches(plain(line), $0) }) else { return line }
      rest = rest[(index + 1)...]
    }
    return nil
  }

  private static func matches(_ shown: String, _ line: String) -> Bool {
    var rest = line[...]
    let parts = shown.components(separatedBy: "…")
    for (index, part) in parts.enumerated() {
      guard let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part) else {
        return false
      }
      if index == 0, range.lowerBound != rest.startIndex { return false }
      rest = rest[range.upperBound...]
    }
    return parts.last?.isEmpty == true && parts.count > 1 || rest.isEmpty
  }

  /// Without what other versions of libvips, other file systems and slower machines change.
  private static func plain(_ line: String) -> String {
    line.replacing(/[0-9.]+ (?:B|KiB|MiB|bytes)\b/, with: "SIZE")
      .replacing(/[0-9.]+ (?:s|min)\b/, with: "TIME")
      .replacing(/^id [0-9a-f]{64}$/, with: "id")
      .replacing(/^[0-9]+ files, SIZE/, with: "files, SIZE")
      .replacing(/: [0-9]+ files, SIZE/, with: ": files, SIZE")
      .replacing(/\s+/, with: " ")
  }
}
