/// Text that counts by its bytes: two Unicode normal forms of a word are two cache keys, and `String` takes them for one.
package struct ByteText: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ByteText, b: ByteText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
