/// An argument of a signpost: a typed value, and whether everybody may read it.
public enum SignpostValue: Hashable, Sendable {
  case integer(Int)
  case number(Double)
  case flag(Bool)
  /// Text for everybody.
  case text(String)
  /// Text that no exporter writes unless it was asked for.
  case hidden(String)
  /// A URL, whose user info, query and fragment are private.
  case url(String)
}
