// Reads the embedded thumbnails of all JPEGs in a folder, from their first 64 kB, and says how many files a second
// that is. Usage: thumbnail-bench FOLDER [OUTPUT], where each thumbnail is written to OUTPUT.

import Foundation
import Glibc
import ImageProcessing
import Pictures
import Rendering

func head(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  return [UInt8](unsafeUninitializedCapacity: RenderRequest.headBytes) { buffer, count in
    count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: thumbnail-bench FOLDER [OUTPUT]\n".utf8))
  exit(2)
}
let folder = URL(fileURLWithPath: arguments[1])
let output = arguments.count == 3 ? URL(fileURLWithPath: arguments[2]) : nil
let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jpg") }
  .sorted()

var found = 0
var byteCount = 0
let start = ContinuousClock.now
for name in names {
  let head = head(of: folder.appendingPathComponent(name).path)
  guard let block = (try? ImageHeader.read(head))?.exif, let bytes = EXIFBlock.thumbnail(in: head[block])
  else { continue }
  found += 1
  byteCount += bytes.count
  if let output { try Data(bytes).write(to: output.appendingPathComponent(name)) }
}
let seconds = (ContinuousClock.now - start) / .seconds(1)
print(
  """
  {"files": \(names.count), "found": \(found), "bytes": \(byteCount), "seconds": \(seconds), \
  "filesPerSecond": \(Double(names.count) / seconds)}
  """)
