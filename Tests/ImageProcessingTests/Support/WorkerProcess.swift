import Foundation

@testable import Rendering

/// A real `preheat-render`, spoken to over a socket.
final class WorkerProcess {
  private let process = Process()
  private let socket: FileHandle

  /// Beside the test bundle; nil where it was not built.
  static let executable: URL? = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let file = bundle.appendingPathComponent("preheat-render")
    return FileManager.default.isExecutableFile(atPath: file.path) ? file : nil
  }()

  struct Missing: Error {}

  init() throws {
    guard let executable = WorkerProcess.executable else { throw Missing() }
    let (ours, theirs) = try socketPair()
    socket = FileHandle(fileDescriptor: ours, closeOnDealloc: true)
    let other = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.executableURL = executable
    process.standardInput = other
    process.standardOutput = other
    process.standardError = FileHandle.nullDevice
    try process.run()
    try other.close()
  }

  deinit {
    try? socket.close()
    process.waitUntilExit()
  }

  /// How often a request was sent once more, because something had to be opened for it.
  private(set) var timesAsked = 0

  /// The layers that the worker said it has.
  private(set) var confinement: Confinement?

  /// The copy of the supervisor that does the work, behind the first process of its namespace. It is there once something
  /// was answered.
  var identifier: Int32 {
    Self.child(of: process.processIdentifier) ?? process.processIdentifier
  }

  /// - Throws: `RenderFrame.Failure` where the process died.
  func render(_ request: RenderRequest, _ bytes: [UInt8]) throws -> (answer: RenderAnswer, payload: [UInt8]) {
    try RenderFrame.write(request, payload: [bytes], to: socket.fileDescriptor)
    let frame = try RenderFrame.read(
      RenderAnswer.self, from: socket.fileDescriptor, maxPayload: 1 << 30, deadline: .now + .seconds(60))
    guard let frame else { throw RenderFrame.Failure.closed }
    if frame.header.isAgain == true {
      timesAsked += 1
      return try render(request, bytes)
    }
    // In this process nothing is confined, and the rest of an answer is the same.
    var answer = frame.header
    confinement = answer.confinement
    answer.confinement = nil
    return (answer, frame.payload)
  }

  /// A line of `/proc/<pid>/status`.
  func status(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }

  /// Most memory it ever held, in bytes.
  func peakMemory() throws -> Int {
    let number = try status("VmHWM").split(separator: " ").first.flatMap { Int($0) } ?? .max
    return number * 1024
  }

  /// Seconds of processor time of the supervisor's copies that it has waited for (proc_pid_stat(5): cutime, cstime).
  func timeOfEndedCopies() throws -> Double { try Self.time(of: process.processIdentifier, fields: 13..<15) }

  /// Of a process, or of its copy that does the work (utime, stime).
  static func time(of process: Int32, fields: Range<Int> = 11..<13) throws -> Double {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let all = stat.split(separator: ")").last?.split(separator: " ") ?? []
    return all[fields].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The last process that a process has started.
  static func child(of parent: Int32) -> Int32? {
    let list = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    return list?.split(separator: " ").last.flatMap { Int32($0) }
  }

  /// Closes the socket and waits.
  func end() throws -> Int32 {
    try socket.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Two connected stream sockets that no child inherits by accident.
func socketPair() throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  return (ends[0], ends[1])
}
