import Foundation

/// Processes of one run, found by a mark in their environment. Workers get all that begins with `VIPS_`.
struct Processes {
  let mark = UUID().uuidString

  var environment: [String: String] { ["VIPS_TEST_MARK": mark] }

  /// Those that bear this name in the system's list.
  func living(named name: String) -> [Int32] {
    living().filter { id in
      let words = FileManager.default.contents(atPath: "/proc/\(id)/comm")
      return words.map { String(decoding: $0, as: UTF8.self) } == name + "\n"
    }
  }

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
