import HTTPLoading

/// How a job treats its sources: when servers are asked again, and what an original has to prove.
public struct SourceSettings: Sendable, Hashable {
  /// Bytes of bodies in the HTTP cache; nil for none: what is stored is then never asked for again.
  public var httpCache: Int? = HTTPCache.defaultDiskCapacity
  /// Seconds for which a stale response may stand in for one that could not be had; 0 for never.
  public var staleIfError = 0
  public var check = OriginalCheck.structure

  public init() {}
}

/// What an original has to prove before it is stored as it came.
public enum OriginalCheck: String, Sendable, Hashable, CaseIterable {
  /// It is whole, by its marks and checksums (`PictureStructure`).
  case structure
  /// A worker decodes it to its end.
  case decode
}
