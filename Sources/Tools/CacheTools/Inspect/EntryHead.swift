import FileStore
import Foundation
import Pictures
import Text

/// Format and size of an entry, read from its first bytes.
package struct EntryHead {
  package var format: ImageFormat?
  /// Stored pixels.
  package var width: Int?
  package var height: Int?
  /// Why no client could show it; nil where the head gives no reason.
  package var damage: String?

  /// Most pictures say their size in the first kilobytes; a JPEG may have a profile and a preview before it.
  private static let steps = [4096, 256 << 10, 16 << 20]

  package init(path: String) {
    let descriptor = FileStore.openForReading(path, keepingAccessDate: true)
    guard descriptor >= 0 else {
      damage = "it cannot be read: \(SystemCall.words())"
      return
    }
    defer { close(descriptor) }
    for size in Self.steps {
      guard let bytes = Self.bytes(descriptor, size) else {
        damage = "it cannot be read: \(SystemCall.words())"
        return
      }
      if bytes.isEmpty {
        damage = "it is empty"
        return
      }
      format = ImageFormat.sniff(bytes)
      do throws(RenderFailure) {
        let header = try ImageHeader.read(bytes)
        (width, height, damage) = (header.width, header.height, nil)
        return
      } catch {
        damage = error.message
        if error.code != .truncated || bytes.count < size { return }
      }
    }
  }

  /// The head of bytes that are there already.
  package init(bytes: [UInt8]) {
    format = ImageFormat.sniff(bytes)
    guard let header = try? ImageHeader.read(bytes) else { return }
    (width, height) = (header.width, header.height)
  }

  /// Nil with `errno` set where reading failed.
  private static func bytes(_ descriptor: Int32, _ size: Int) -> [UInt8]? {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let length = SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      hasFailed = length < 0
      count = max(0, length)
    }
    return hasFailed ? nil : bytes
  }
}
