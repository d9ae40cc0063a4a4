/// What an installation did.
public struct InstallReport: Hashable, Sendable {
  /// The bundle's id.
  public var id: String
  /// The same bundle was installed before: nothing was done.
  public var wasInstalled = false
  /// Files written.
  public var written = 0
  /// Files that were there already with the right bytes.
  public var present = 0
  /// Files of the app's own that are left as they are: it has fetched them itself meanwhile.
  public var kept = 0
  /// Kingfisher: files whose date of expiry has passed before the installation; they are left out.
  public var expired = 0
  /// Files of an earlier bundle that this one has dropped.
  public var removed = 0

  init(id: String) { self.id = id }
}
