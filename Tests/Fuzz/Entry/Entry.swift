import Foundation

/// What `PREHEAT_FUZZ_TARGET` names.
private let target: FuzzTarget? = {
  let name = ProcessInfo.processInfo.environment["PREHEAT_FUZZ_TARGET"] ?? ""
  return FuzzTarget.all.first { $0.name == name }
}()

/// libFuzzer calls it with every input; its name and form are libFuzzer's. An input that breaks a promise ends the
/// process, and libFuzzer keeps it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let target else {
    stop("PREHEAT_FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  do {
    try target.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    stop("\(target.name): \(error)")
  }
  return 0
}

private func stop(_ message: String) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  abort()
}
