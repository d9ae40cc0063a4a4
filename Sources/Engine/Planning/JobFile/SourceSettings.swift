import Fetching

/// How a job treats its sources: when servers are asked again, and what an original has to prove.
package struct SourceSettings: Sendable, Hashable {
  /// Bytes of bodies in the HTTP cache; nil for none: what is stored is then never asked for again.
  package var httpCache: Int? = HTTPCache.defaultDiskCapacity
  /// Seconds for which a stale response may stand in for one that could not be had; 0 for never.
  package var staleIfError = 0
  package var check = OriginalCheck.structure

  package init() {}
}

/// What an original has to prove before it is stored as it came.
package enum OriginalCheck: String, Sendable, Hashable, CaseIterable {
  /// It is whole, by its marks and checksums (`PictureStructure`).
  case structure
  /// A worker decodes it to its end.
  case decode
}
