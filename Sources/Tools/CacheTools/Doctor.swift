import Fetching
import FileStore
import Foundation
import Pictures
import Rendering
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
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return [Finding(.preheat, PreheatVersion.text), machine()] + worker() + [
      Finding(.libcurl, HTTPLibrary.version), Finding(.sqlite, SQLiteDatabase.libraryVersion), certificates(),
      Finding(.processors, "\(processors) (worker processes by default)"),
      memory(processors), processes(processors), openFiles(),
    ] + disk()
  }

  private func certificates() -> Finding {
    let file = CertificateFile.find(in: environment)
    return Finding(
      .certificates, file ?? "none", isGood: file.map { access($0, R_OK) == 0 } ?? false, .error,
      advice: "install ca-certificates, or name a file that can be read in SSL_CERT_FILE")
  }

  // MARK: The machine

  /// The files that transfers need, and the memory of a worker.
  private static let leastFiles = 256
  private static let workerBytes = 512 << 20

  private func memory(_ processors: Int) -> Finding {
    let machine = number(in: "proc/meminfo", after: "MemAvailable:").map { $0 << 10 }
    let groups = limits("memory.max", of: "memory") + limits("memory.limit_in_bytes", of: "memory")
    guard let available = ([machine].compactMap(\.self) + groups).min() else {
      return Finding(.memory, "not known")
    }
    let wanted = processors * Self.workerBytes
    return Finding(
      .memory, "\(available >> 20) MiB available, workers take up to \(wanted >> 20) MiB",
      isGood: available >= wanted,
      advice: "run with --workers \(max(1, available / Self.workerBytes)) if pictures are large")
  }

  /// The limits that refuse a thread: of the container or service, and of the user where it is not root.
  private func processes(_ processors: Int) -> Finding {
    var own = rlimit()
    let isBound = geteuid() != 0 && getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &own) == 0
    let limits = limits("pids.max", of: "pids") + (isBound ? [Int(clamping: own.rlim_cur)] : [])
    guard let limit = limits.min() else { return Finding(.processes, "no limit of processes and threads") }
    let wanted = 16 + 12 * processors
    return Finding(
      .processes, "\(limit) processes and threads allowed, a run takes up to \(wanted)",
      isGood: limit >= wanted, advice: "raise pids.max or ulimit -u to \(wanted), or run with --workers 1")
  }

  private func openFiles() -> Finding {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let count = Int(clamping: limit.rlim_cur)
    return Finding(
      .files, "\(count) open files allowed", isGood: count >= Self.leastFiles, advice: "ulimit -n 1024")
  }

  #if arch(arm64)
    private static let architecture = (name: "arm64", kernel: "aarch64")
  #else
    private static let architecture = (name: "x86-64", kernel: "x86_64")
  #endif

  /// What the kernel runs on, where this program is made for something else. Kernels before 6.1 do not say it.
  private var emulatingKernel: String? {
    let kernel = text(of: "proc/sys/kernel/arch")?.split(separator: "\n").first.map(String.init)
    return kernel == Self.architecture.kernel ? nil : kernel
  }

  private func machine() -> Finding {
    guard let kernel = emulatingKernel else { return Finding(.machine, Self.architecture.name) }
    return Finding(
      .machine, "this is preheat for \(Self.architecture.name), emulated on \(kernel)", .warning,
      advice: "take the archive or image for \(kernel): emulation is slow and does not confine workers")
  }

  /// The limits of this name of this process's control group, and of those above it (cgroups(7)): in the one tree of
  /// version 2, in the controller's tree of version 1.
  private func limits(_ file: String, of controller: Substring) -> [Int] {
    var paths: Set<String> = ["sys/fs/cgroup", "sys/fs/cgroup/\(controller)"]
    for line in (text(of: "proc/self/cgroup") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[1].isEmpty || fields[1].split(separator: ",").contains(controller)
      else { continue }
      var path = "sys/fs/cgroup" + (fields[1].isEmpty ? "" : "/\(controller)")
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

/// The disk of the cache.
extension Doctor {
  private static let leastFreeBytes = 1 << 30

  /// What the file system is, how much is free, and whether files can be published on it as a run does, by writing,
  /// `syncfs` and renaming.
  private func disk() -> [Finding] {
    var place = PathText.absolute(folder)
    while place != "/", !OutputFile.isFolder(place) { place = PathText.folder(of: place) }
    let name = Self.fileSystemName(of: place) ?? "not known"
    return [
      Finding(
        .fileSystem, "\(name) at \(place)", isGood: !Self.isRemote(name),
        advice: "build on a local disk and copy the cache: locks and the ledger need one"),
      space(place), publishing(place),
    ]
  }

  /// `fuseblk` is a local disk with NTFS or exFAT.
  static func isRemote(_ name: String) -> Bool {
    let known = ["nfs", "cifs", "smb", "fuse", "9p", "ceph", "afs"]
    return name != "fuseblk" && known.contains { name.hasPrefix($0) }
  }

  /// The type of the mount that holds a folder (proc(5), `mountinfo`).
  private static func fileSystemName(of place: String) -> String? {
    guard let path = SystemCall.realPath(place), let text = SystemFile.text("/proc/self/mountinfo") else {
      return nil
    }
    var best: (point: String, name: String)?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard let dash = fields.firstIndex(of: "-"), dash > 5, dash + 1 < fields.count else { continue }
      let point = fields[4]
      let holds = (path + "/").utf8.starts(with: (point == "/" ? point : point + "/").utf8)
      // Of two mounts at one place the later one covers the other.
      if holds, point.utf8.count >= best?.point.utf8.count ?? 0 { best = (point, fields[dash + 1]) }
    }
    return best?.name
  }

  private func space(_ place: String) -> Finding {
    var status = statvfs()
    guard statvfs(place, &status) == 0 else { return Finding(.diskSpace, SystemCall.words(), .error) }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    return Finding(
      .diskSpace, "\(free >> 20) MiB free, \(status.f_favail) files",
      isGood: free >= Self.leastFreeBytes && (status.f_files == 0 || status.f_favail >= 10_000),
      advice: "free some space, or use another disk")
  }

  private func publishing(_ place: String) -> Finding {
    let folder = URL(fileURLWithPath: place).appendingPathComponent(".preheat-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(FileStoreError) {
      let store = try FileStore(folder: folder)
      let file = try store.stage(Data("preheat".utf8), as: "entry")
      try store.synchronize { [file.temporaryPath] }
      try store.publish(file)
      return Finding(.publishing, "write, syncfs and rename work")
    } catch {
      return Finding(
        .publishing, error.description, .error, advice: "use a folder that this user can write to")
    }
  }
}

/// The renderer.
extension Doctor {
  /// What it can decode and what it can write.
  private func worker() -> [Finding] {
    do throws(RenderFailure) {
      let executable = try RenderPool.locateWorker(environment: environment)
      let found = try RenderPool.capabilities(of: executable, environment: environment)
      let missing = ImageFormat.allCases.filter {
        $0.recipe(quality: 80) != nil && !found.encodes.contains($0)
      }
      // HEIC and AVIF are asked for by name, and a run says so where they are missing.
      let isBroken = missing.contains(.jpeg) || missing.contains(.png)
      return [
        Finding(
          .worker, "preheat-render \(found.version) at \(executable)",
          isGood: found.version == PreheatVersion.text, .error,
          advice: "install preheat and preheat-render \(PreheatVersion.text) together"),
        Finding(.libvips, found.libvips), confinement(found.confinement),
        Finding(
          .decoders, names(found.decodes), isGood: ImageFormat.trusted.isSubset(of: found.decodes), .error,
          advice: "this libvips cannot read \(names(ImageFormat.trusted.subtracting(found.decodes)))"),
        Finding(
          .encoders, names(found.encodes), isGood: missing.isEmpty, isBroken ? .error : .warning,
          advice: "`encode` cannot make \(names(missing)) here; the Debian package and the container can"),
      ]
    } catch {
      return [Finding(.worker, error.message, .error)]
    }
  }

  private func confinement(_ layers: Confinement) -> Finding {
    guard layers.contains(.filter) else {
      return Finding(
        .confinement, "the kernel does not confine workers, so nothing is decoded", .error,
        advice:
          "use a kernel and a container runtime with seccomp filters, which an emulated one has not, or "
          + "--allow-unconfined")
    }
    let missing = layers.missingNames.joined(separator: ", ")
    return Finding(
      .confinement,
      "workers reach no file, network or program (" + layers.names.joined(separator: ", ")
        + (missing.isEmpty ? ")" : "; not here: \(missing))"))
  }

  private func names(_ formats: some Sequence<ImageFormat>) -> String {
    formats.map(\.writtenName).joined(separator: ", ")
  }
}
