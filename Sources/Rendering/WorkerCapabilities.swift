/// What the renderer of this system can do, as `preheat-render --capabilities` prints it in JSON.
public struct WorkerCapabilities: Codable, Hashable, Sendable {
  /// Preheat's own version.
  public var version: String
  /// libvips' version.
  public var libvips: String
  /// Formats that can be decoded, in the order of ``ImageFormat``.
  public var decodes: [ImageFormat]
  /// Formats that were written and found right; `heif` means HEIC.
  public var encodes: [ImageFormat]
  /// Whether the kernel keeps a worker from files, network and programs.
  public var isConfined: Bool

  public init(
    version: String, libvips: String, decodes: [ImageFormat], encodes: [ImageFormat], isConfined: Bool
  ) {
    self.version = version
    self.libvips = libvips
    self.decodes = decodes
    self.encodes = encodes
    self.isConfined = isConfined
  }
}
