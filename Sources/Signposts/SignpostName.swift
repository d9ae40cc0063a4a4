/// What an interval or event is about. A closed set, so that logs of different runs can be compared.
///
/// The first five are the names that Nuke's own signposts have (Nuke 12.8.0, `ImagePipeline+*` tasks).
public enum SignpostName: String, Hashable, Sendable, CaseIterable {
  case loadImageData = "LoadImageData"
  case decodeImageData = "DecodeImageData"
  case processImage = "ProcessImage"
  case decompressImage = "DecompressImage"
  case encodeImage = "EncodeImage"
}
