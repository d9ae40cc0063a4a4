/// A large value of which copies cost no more than one reference. A change makes a value of its own.
///
/// A property that hands it on does so with `_read`: a getter would copy all that is in it.
package struct Shared<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  package init(_ value: Value) { storage = Storage(value) }

  package var value: Value {
    _read { yield storage.value }
    _modify {
      var value = storage.value
      defer { storage = Storage(value) }
      yield &value
    }
  }
}
