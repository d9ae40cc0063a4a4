import Foundation

extension Doctor {
  /// What a transfer and a worker may take each: sockets and their files, pictures in memory.
  private static let leastFiles = 256
  private static let workerBytes = 512 << 20

  /// Processors, memory and open files.
  package func resources() -> [Finding] {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return [
      Finding("processors", "\(processors), so many workers run at once"), memory(processors), openFiles(),
    ]
  }

  private func memory(_ processors: Int) -> Finding {
    let machine = Self.number(in: "/proc/meminfo", after: "MemAvailable:").map { $0 << 10 }
    let group = Self.number(in: "/sys/fs/cgroup/memory.max", after: "")
    guard let available = [machine, group].compactMap({ $0 }).min() else {
      return Finding("memory", "not known")
    }
    let wanted = processors * Self.workerBytes
    let text = "\(available >> 20) MiB available, and \(wanted >> 20) MiB are the most that workers take"
    guard available < wanted else { return Finding("memory", text) }
    let workers = max(1, available / Self.workerBytes)
    return Finding("memory", text, .warning, advice: "run with --jobs \(workers) where pictures are large")
  }

  private func openFiles() -> Finding {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return Finding("files", "not known")
    }
    let count = Int(clamping: limit.rlim_cur)
    guard count < Self.leastFiles else { return Finding("files", "\(count) may be open") }
    return Finding(
      "files", "only \(count) may be open", .warning, advice: "raise it: ulimit -n 1024")
  }

  /// The whole number behind a word in a file of the kernel's.
  private static func number(in path: String, after word: String) -> Int? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(word) })
    else { return nil }
    return line.dropFirst(word.count).split(separator: " ").first.flatMap { Int($0) }
  }
}
