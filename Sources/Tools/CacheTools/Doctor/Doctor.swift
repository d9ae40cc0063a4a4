import Fetching
import Foundation
import SQLiteStore
import Text

/// Looks at all that a run needs of its system. It writes nothing that stays.
package struct Doctor: Sendable {
  /// Where a cache is, or would be.
  package var folder: String
  package var environment: [String: String]
  /// Where `proc` and `sys` of the system lie.
  var root = "/"

  package init(folder: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.folder = folder
    self.environment = environment
  }

  /// In a fixed order. Blocks: it starts a renderer and writes to the disk.
  package func examine() -> [Finding] {
    let libraries = [
      Finding("libcurl", HTTPLibrary.version), Finding("sqlite", SQLiteDatabase.libraryVersion),
    ]
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return [Finding("preheat", PreheatVersion.text), machine()] + worker() + libraries + [
      certificates(), Finding("processors", "\(processors) (worker processes by default)"),
      memory(processors), processes(processors), openFiles(),
    ] + disk()
  }

  private func certificates() -> Finding {
    let file = CertificateFile.find(in: environment)
    guard let file, access(file, R_OK) == 0 else {
      return Finding(
        "certificates", file.map { "\($0) cannot be read" } ?? "this system has no file of certificates",
        .error,
        advice:
          "install the package ca-certificates or name a file in SSL_CERT_FILE; without it no https URL can "
          + "be fetched")
    }
    return Finding("certificates", file)
  }

  /// The files that transfers need, and the memory of a worker.
  private static let leastFiles = 256
  private static let workerBytes = 512 << 20

  private func memory(_ processors: Int) -> Finding {
    let machine = number(in: "proc/meminfo", after: "MemAvailable:").map { $0 << 10 }
    let groups = limits("memory.max", of: "memory") + limits("memory.limit_in_bytes", of: "memory")
    guard let available = ([machine].compactMap(\.self) + groups).min() else {
      return Finding("memory", "not known")
    }
    let wanted = processors * Self.workerBytes
    let text = "\(available >> 20) MiB available, workers take up to \(wanted >> 20) MiB"
    guard available < wanted else { return Finding("memory", text) }
    let workers = max(1, available / Self.workerBytes)
    return Finding("memory", text, .warning, advice: "run with --workers \(workers) if pictures are large")
  }

  /// The limits that refuse a thread: of the container or service, and of the user where it is not root.
  private func processes(_ processors: Int) -> Finding {
    var own = rlimit()
    let isBound = geteuid() != 0 && getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &own) == 0
    let limits = limits("pids.max", of: "pids") + (isBound ? [Int(clamping: own.rlim_cur)] : [])
    guard let limit = limits.min() else { return Finding("processes", "no limit of processes and threads") }
    let wanted = 16 + 12 * processors
    guard limit < wanted else { return Finding("processes", "\(limit) processes and threads allowed") }
    return Finding(
      "processes", "only \(limit) processes and threads allowed, a run takes up to \(wanted)", .warning,
      advice:
        "raise pids.max (docker run --pids-limit \(wanted), ulimit -u \(wanted)), or run with --workers 1")
  }

  #if arch(arm64)
    private static let architecture = (name: "arm64", kernel: "aarch64")
  #else
    private static let architecture = (name: "x86-64", kernel: "x86_64")
  #endif

  /// What the kernel runs on, where this program is made for something else.
  var emulatingKernel: String? {
    guard let kernel = text(of: "proc/sys/kernel/arch")?.split(separator: "\n").first.map(String.init) else {
      // Before Linux 6.1: processors of arm64 have lines of their own, and Apple's say so.
      let processor = text(of: "proc/cpuinfo") ?? ""
      let isArm = processor.contains("CPU implementer") || processor.contains("VirtualApple")
      return isArm && Self.architecture.kernel != "aarch64" ? "aarch64" : nil
    }
    return kernel == Self.architecture.kernel ? nil : kernel
  }

  private func machine() -> Finding {
    guard let kernel = emulatingKernel else { return Finding("machine", Self.architecture.name) }
    return Finding(
      "machine", "this is preheat for \(Self.architecture.name), emulated on \(kernel)", .warning,
      advice: "take the archive or image for \(kernel): emulation is slow and does not confine workers")
  }

  private func openFiles() -> Finding {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return Finding("files", "not known")
    }
    let count = Int(clamping: limit.rlim_cur)
    guard count < Self.leastFiles else { return Finding("files", "\(count) open files allowed") }
    return Finding(
      "files", "only \(count) open files allowed", .warning, advice: "raise it: ulimit -n 1024")
  }

  /// The limits of this name of this process's control group, and of those above it (cgroups(7)): in the one tree of
  /// version 2, in the controller's tree of version 1.
  private func limits(_ file: String, of controller: Substring) -> [Int] {
    var paths: Set<String> = ["sys/fs/cgroup", "sys/fs/cgroup/\(controller)"]
    for line in (text(of: "proc/self/cgroup") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let isOfAll = fields.count == 3 && fields[1].isEmpty
      guard isOfAll || fields.count == 3 && fields[1].split(separator: ",").contains(controller) else {
        continue
      }
      var path = "sys/fs/cgroup" + (isOfAll ? "" : "/\(controller)")
      for name in fields[2].split(separator: "/") {
        path += "/\(name)"
        paths.insert(path)
      }
    }
    return paths.compactMap { number(in: "\($0)/\(file)") }
  }

  private func text(of path: String) -> String? {
    try? String(contentsOfFile: PathText.joined(path, to: root), encoding: .utf8)
  }

  /// The whole number behind a word in a file of the kernel's.
  private func number(in path: String, after word: String = "") -> Int? {
    text(of: path)?.split(separator: "\n").first { $0.hasPrefix(word) }
      .flatMap { $0.dropFirst(word.count).split(separator: " ").first }.flatMap { Int($0) }
  }
}

/// One thing that ``Doctor`` looked at.
package struct Finding: Sendable, Hashable {
  package enum Status: String, Sendable, Hashable, CaseIterable {
    case ok
    /// It works, but not as well as it could.
    case warning
    /// A run would fail.
    case error
  }

  /// One of a fixed set, for programs: `worker`, `disk-space`, ...
  package var name: String
  package var status: Status
  package var text: String
  /// Advice for the user.
  package var advice: String?

  package init(_ name: String, _ text: String, _ status: Status = .ok, advice: String? = nil) {
    self.name = name
    self.status = status
    self.text = text
    self.advice = advice
  }
}
