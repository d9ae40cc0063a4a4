import Foundation

/// Seconds of processor time, so that a picture does not pay for what else the machine does.
package enum ProcessorTime {
  /// Of this process with all its threads.
  package static var own: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Of a process and its children, in the kernel's ticks (proc(5)); nil where the kernel does not tell.
  static func of(_ pid: pid_t) -> Double? {
    guard let own = ticks(of: pid) else { return nil }
    let children = text("/proc/\(pid)/task/\(pid)/children") ?? ""
    let ticks = children.split(separator: " ").compactMap { pid_t($0) }.reduce(own) {
      $0 + (self.ticks(of: $1) ?? 0)
    }
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func ticks(of pid: pid_t) -> Double? {
    // The program's name, in parentheses, may hold anything.
    guard let stat = text("/proc/\(pid)/stat"), let name = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[name...].split(separator: " ").dropFirst()
    // utime and stime, fields 14 and 15 of the whole line, where the state is field 3.
    let times = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
    return times.count == 2 ? times[0] + times[1] : nil
  }

  private static func text(_ path: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
  }
}
