/// A setting whose value goes into a field of a configuration: with the field itself, all that there is to add.
package struct FieldSetting<Configuration>: Sendable {
  package var row: Setting
  /// Writes the value, if one was given.
  package let apply: @Sendable (inout Configuration, SettingValues) -> Void

  package init<Value>(
    _ name: String, _ field: any WritableKeyPath<Configuration, Value> & Sendable,
    _ type: SettingType<Value>, in places: Setting.Places, _ topic: Setting.Topic, _ summary: String,
    detail: String = ""
  ) {
    self.init(name, type, in: places, topic, summary, detail: detail) { $0[keyPath: field] = $1 }
  }

  /// For a field that is empty without a value.
  package init<Value>(
    _ name: String, _ field: any WritableKeyPath<Configuration, Value?> & Sendable,
    _ type: SettingType<Value>, in places: Setting.Places, _ topic: Setting.Topic, _ summary: String,
    detail: String = ""
  ) {
    self.init(name, type, in: places, topic, summary, detail: detail) { $0[keyPath: field] = $1 }
  }

  /// For a row that several configurations have.
  package init<Value: Hashable & Sendable>(
    _ row: Setting, _ field: any WritableKeyPath<Configuration, Value> & Sendable
  ) {
    let key = SettingKey(row.name, default: Value?.none)
    self.init(row) { if let value = $1[key] { $0[keyPath: field] = value } }
  }

  /// For a value that is not a field as it is.
  package init<Value>(
    _ name: String, _ type: SettingType<Value>, in places: Setting.Places, _ topic: Setting.Topic,
    _ summary: String, detail: String = "", set: @escaping @Sendable (inout Configuration, Value) -> Void
  ) {
    let key = SettingKey(name, default: Value?.none)
    self.init(Setting(key, type.map(Optional.init), in: places, topic, summary, detail: detail)) {
      configuration, values in
      if let value = values[key] { set(&configuration, value) }
    }
  }

  package init(
    _ row: Setting, apply: @escaping @Sendable (inout Configuration, SettingValues) -> Void
  ) {
    self.row = row
    self.apply = apply
  }

  /// The same with some columns of its row filled in.
  package func with(_ change: (inout Setting) -> Void) -> FieldSetting {
    var copy = self
    change(&copy.row)
    return copy
  }

  /// The same as a row that `-h` shows.
  package var common: FieldSetting { with { $0.isCommon = true } }
}

extension SettingValues {
  /// Writes the values of these settings into a configuration.
  package func apply<Configuration>(
    _ fields: [FieldSetting<Configuration>], to configuration: inout Configuration
  ) {
    for field in fields { field.apply(&configuration, self) }
  }
}
