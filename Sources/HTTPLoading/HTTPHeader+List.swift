extension [HTTPHeader] {
  /// The value of the last field of this name.
  public func value(_ name: String) -> String? {
    let name = name.lowercased()
    return last { $0.name.lowercased() == name }?.value
  }

  /// The values of all fields of this name as one list (RFC 9110, section 5.3).
  public func list(_ name: String) -> String? {
    let name = name.lowercased()
    let values = filter { $0.name.lowercased() == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
