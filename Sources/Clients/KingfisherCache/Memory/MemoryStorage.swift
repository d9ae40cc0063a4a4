/// The part of a cache that holds images in memory: Kingfisher's `MemoryStorage`.
public enum MemoryStorage {}
