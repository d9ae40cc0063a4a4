/// What Nuke's pipeline stores in its data cache (`ImagePipeline.DataCachePolicy`).
public enum DataCachePolicy: String, Hashable, Sendable, CaseIterable {
  case automatic, storeOriginalData, storeEncodedImages, storeAll
}
