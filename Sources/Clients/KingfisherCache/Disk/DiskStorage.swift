/// The part of a cache that holds encoded images in files: Kingfisher's `DiskStorage`.
public enum DiskStorage {}
