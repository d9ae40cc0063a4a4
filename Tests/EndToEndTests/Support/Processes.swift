import Foundation
import TestSupport

/// Processes of one run, found by a mark in their environment. Workers get all that begins with `VIPS_`.
struct Processes {
  let mark = UUID().uuidString

  var environment: [String: String] { ["VIPS_TEST_MARK": mark] }

  /// The ids of those that live now.
  func living() -> [Int32] {
    let entry = Data("VIPS_TEST_MARK=\(mark)".utf8)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { id in
      guard let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
      return variables.range(of: entry) != nil
    }
  }
}
