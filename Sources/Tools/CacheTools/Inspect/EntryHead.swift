import FileStore
import Pictures

/// Format and size of an entry, read from its first bytes.
package struct EntryHead {
  package var format: ImageFormat?
  /// Stored pixels.
  package var width: Int?
  package var height: Int?
  /// Why no client could show it; nil where the head gives no reason.
  package var damage: String?

  /// Why it is not known what is there.
  package var failure: FileStoreError?

  /// Most pictures say their size in the first kilobytes; a JPEG may have a profile and a preview before it.
  private static let steps = [4096, 256 << 10, 16 << 20]

  package init(of file: String, in files: FileStore) {
    for size in Self.steps {
      let bytes: [UInt8]
      do throws(FileStoreError) {
        guard let found = try files.beginning(of: file, count: size) else {
          damage = "it is gone"
          return
        }
        bytes = found
      } catch {
        (failure, damage) = (error, "it cannot be read: \(error.reason)")
        return
      }
      if bytes.isEmpty {
        damage = "it is empty"
        return
      }
      do throws(RenderFailure) {
        let header = try ImageHeader.read(bytes)
        (format, width, height, damage) = (header.format, header.width, header.height, nil)
        return
      } catch {
        format = ImageFormat.sniff(bytes)
        damage = error.message
        if error.code != .truncated || bytes.count < size { return }
      }
    }
  }
}
