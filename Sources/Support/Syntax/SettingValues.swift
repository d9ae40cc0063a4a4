/// What a setting's value is called in ``SettingValues``, and its default.
package struct SettingKey<Value: Hashable & Sendable>: Sendable {
  package let name: String
  let defaultValue: Value

  package init(_ name: String, default value: Value) {
    self.name = name
    defaultValue = value
  }
}

/// The values of settings that were given, by the name of the setting.
package struct SettingValues: Sendable, Hashable {
  /// A value of any type that can be compared.
  private struct Box: Hashable, Sendable {
    let value: any Hashable & Sendable

    static func == (a: Box, b: Box) -> Bool { AnyHashable(a.value) == AnyHashable(b.value) }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
  }

  private var boxes: [String: Box] = [:]

  package init() {}

  /// The value, or the key's default.
  package subscript<Value>(key: SettingKey<Value>) -> Value {
    get { given(key) ?? key.defaultValue }
    set { boxes[key.name] = Box(value: newValue) }
  }

  /// The value if it was given.
  package func given<Value>(_ key: SettingKey<Value>) -> Value? {
    // A cast of nothing to an optional type would give a value: nil.
    guard let box = boxes[key.name] else { return nil }
    return box.value as? Value
  }

  package func has(_ name: String) -> Bool { boxes[name] != nil }

  /// Takes over the value of one setting, replacing what is there.
  package mutating func take(_ name: String, from other: SettingValues) {
    if let box = other.boxes[name] { boxes[name] = box }
  }
}

/// The variables of the environment, and which of them the text of a job may name.
package struct JobVariables: Sendable {
  private let all: [String: String]
  /// Nil for all of them.
  private let allowed: Set<String>?
  /// Why not all of them are allowed, in words.
  private let reason: String
  /// False for work that sends nothing: each variable stands for itself, set or not.
  private let isRead: Bool

  package init(
    _ all: [String: String] = [:], allowed: Set<String>? = nil, because reason: String = "",
    isRead: Bool = true
  ) {
    self.isRead = isRead
    self.all = all
    self.allowed = allowed
    self.reason = reason
  }

  /// The value of a variable that a job names at a place; nil where it is not set.
  package func value(of name: String, at place: Int) throws(Mistake) -> String? {
    guard isRead else { return "${\(name)}" }
    guard allowed?.contains(name) ?? true else {
      throw Mistake(
        place, "this job may not use the environment variable \(name): \(reason)",
        help: "--env \(name) allows it, for jobs that you trust with its value")
    }
    return all[name]
  }
}
