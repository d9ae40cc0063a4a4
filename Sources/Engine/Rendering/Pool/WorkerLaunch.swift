import Glibc
import Pictures
import Text

/// How a worker process is started.
struct WorkerLaunch: Sendable {
  var executable: String
  var arguments: [String]
  var environment: [String: String]

  /// Starts the process with a socket as its standard input and output and another as its standard
  /// error. It leads a process group of its own, so that a terminal's Ctrl-C reaches only the parent,
  /// which then decides; all signals stand at their defaults.
  ///
  /// - Throws: ``RenderFailure`` with the code `worker`.
  func start(socket: Int32, errors: Int32) throws(RenderFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, 0)
    posix_spawn_file_actions_adddup2(&actions, socket, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // In the child, so that what another thread opens just now without close-on-exec goes too.
    closeFrom(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var pid: pid_t = 0
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let code = withCStrings([executable] + arguments) { arguments in
      withCStrings(variables) { variables in
        posix_spawn(&pid, executable, &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw failure(code) }
    return pid
  }

  private func failure(_ code: Int32) -> RenderFailure {
    if code == EAGAIN { return .noProcesses(" (\(SystemCall.words(code)))") }
    let advice =
      code == ENOMEM
      ? "the system has no memory for another process; use fewer workers"
      : "try \(executable) --version, or name another executable file in PREHEAT_RENDER"
    return RenderFailure(
      .worker, "the render worker \(executable) could not be started: \(SystemCall.words(code)); \(advice)")
  }
}

/// Strings as a null-terminated array of C strings that live for the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}

// glibc 2.34 and later; its header hides it from Swift behind _GNU_SOURCE.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np") @discardableResult
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32
