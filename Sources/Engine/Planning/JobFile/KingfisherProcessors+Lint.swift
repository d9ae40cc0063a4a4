import KingfisherCache

extension KingfisherProcessors {
  /// What an author should know of a processor that has a key all the same.
  static func lint(
    _ processor: BuiltInProcessor, style: KingfisherKeyFormat.Style, at offset: Int
  ) -> Mistake? {
    switch processor {
    case .roundCorner(_, _, _, .some):
      return Mistake(
        offset, "this key holds a colour as UIKit prints it, which Apple does not promise to keep",
        help: "compare it with the app's own, or leave backgroundColor out")
    case .border:
      return Mistake(
        offset,
        "this key holds a border as Swift prints it: a colour in UIKit's words, names that a build may strip",
        help: "compare it with the app's own")
    case .colorControls, .blend:
      guard style == .builder else { return nil }
      return Mistake(
        offset, "KF and KFImage have no modifier for this; the key is that of appendProcessor(...)",
        help: "style options, for .processor(...)")
    default: return nil
    }
  }
}
