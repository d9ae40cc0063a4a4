import Glibc

/// An open file descriptor, closed with its owner.
struct Descriptor: ~Copyable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  consuming func close() {}

  deinit { _ = Glibc.close(raw) }

  fileprivate consuming func aboveStandardStreams() throws(RenderFailure) -> Descriptor {
    guard raw <= 2 else { return self }
    let moved = fcntl(raw, F_DUPFD_CLOEXEC, 3)
    guard moved >= 0 else { throw Self.failure("fcntl", errno) }
    return Descriptor(moved)
  }

  fileprivate static func failure(_ call: String, _ code: Int32) -> RenderFailure {
    let advice = code == EMFILE || code == ENFILE ? "; raise `ulimit -n` or use fewer workers" : ""
    return RenderFailure(
      .worker, "a render worker could not be connected: \(call): \(systemMessage(code))\(advice)")
  }
}

/// Two ends of a stream socket, close-on-exec from the first moment on, so that a process started by
/// another thread never holds them. Both lie above 2: a parent that was started without standard
/// streams would otherwise get its own sockets in their place.
struct DescriptorPair: ~Copyable {
  let ours: Descriptor
  let theirs: Descriptor

  /// - Throws: ``RenderFailure`` with the code `worker`.
  init(isBlocking: Bool) throws(RenderFailure) {
    var ends: [Int32] = [-1, -1]
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else {
      throw Descriptor.failure("socketpair", errno)
    }
    let first = Descriptor(ends[0])
    let second = Descriptor(ends[1])
    let ours = try first.aboveStandardStreams()
    let theirs = try second.aboveStandardStreams()
    self.ours = ours
    self.theirs = theirs
  }
}
