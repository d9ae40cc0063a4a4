import Pictures
import Signposts

/// What a worker made of a ``RenderRequest``. The encoded bytes travel behind it, one after the other.
package struct RenderAnswer: Codable, Hashable, Sendable {
  /// Nil where the header could not be read, and for a picture that came as pixels.
  var source: SourceInfo?
  /// In the order of the request's outputs.
  var outputs: [OutputResult]
  /// What took how long, where the request asked for it.
  package var intervals: [RenderInterval]?
  /// What keeps the worker from anything but drawing; nil where nothing has been drawn.
  package var confinement: Confinement?
  /// How the process ended that had the picture, as `waitpid` says it; there are no outputs then.
  package var death: Int32?
  /// Not an answer yet: the number of results so far.
  package var progress: Int?
  /// Not an answer: the process has made way for one that can do it, and wants the request once more.
  package var isAgain: Bool?

  package init(source: SourceInfo? = nil, outputs: [OutputResult] = []) {
    self.source = source
    self.outputs = outputs
  }

  /// Whether a result could not be made.
  package var failures: [RenderFailure] { outputs.compactMap(\.failure) }

  package struct SourceInfo: Codable, Hashable, Sendable {
    package var format: ImageFormat
    /// Stored pixels, before EXIF rotation.
    package var width: Int
    package var height: Int
    /// EXIF orientation, 1 to 8.
    package var orientation: Int
    package var hasAlpha: Bool
    package var frames: Int
    /// What a decoder found odd, so that it is said of an original too.
    package var complaint: String?

    package init(
      format: ImageFormat, width: Int, height: Int, orientation: Int, hasAlpha: Bool, frames: Int
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.orientation = orientation
      self.hasAlpha = hasAlpha
      self.frames = frames
    }
  }

  package enum OutputResult: Codable, Hashable, Sendable {
    /// `byteCount` bytes of the payload; pixels of the result as stored.
    case encoded(format: ImageFormat, width: Int, height: Int, byteCount: Int, note: String?)
    /// ``RenderPixels/byteCount`` bytes of the payload.
    case pixels(RenderPixels, note: String?)
    /// The source's own bytes are the result.
    case original
    case failed(RenderFailure)

    /// Bytes that it has in the payload; the largest number where it makes no sense.
    var payloadBytes: Int {
      switch self {
      case .encoded(_, let width, let height, let byteCount, _):
        width > 0 && height > 0 && byteCount > 0 ? byteCount : .max
      case .pixels(let pixels, _): pixels.byteCount
      case .original, .failed: 0
      }
    }

    /// Why it could not be made; nil where it was.
    var failure: RenderFailure? { if case .failed(let failure) = self { failure } else { nil } }
  }
}

/// A stretch of a worker's time, on the clock that all processes share (``SignpostClock``).
package struct RenderInterval: Codable, Hashable, Sendable {
  var name: SignpostName
  /// Nanoseconds.
  var begin: Int64
  var end: Int64
  /// For which of the request's outputs; nil where it was for several.
  var output: Int?
  /// Which of the output's steps.
  var step: Int?

  package init(name: SignpostName, begin: Int64, end: Int64, output: Int? = nil, step: Int? = nil) {
    self.name = name
    self.begin = begin
    self.end = end
    self.output = output
    self.step = step
  }
}

/// The layers that stand between a picture's decoder and the system.
package struct Confinement: OptionSet, Codable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// System calls go by an allow list: no files, network, programs or signals to others. Without it nothing is
  /// decoded, unless that is allowed.
  package static let filter = Confinement(rawValue: 1)
  /// Landlock keeps files and TCP away a second time.
  static let landlock = Confinement(rawValue: 2)
  static let noNewPrivileges = Confinement(rawValue: 4)
  /// User, process and IPC namespaces of its own.
  package static let namespaces = Confinement(rawValue: 8)
  /// Its threads are counted, and few may start.
  package static let threads = Confinement(rawValue: 16)

  private static let words: [(layer: Confinement, name: String)] = [
    (.filter, "system-call filter"), (.landlock, "Landlock"), (.namespaces, "namespaces"),
    (.noNewPrivileges, "no new privileges"), (.threads, "count of threads"),
  ]

  /// The layers that hold, in words.
  package var names: [String] { Self.words.filter { contains($0.layer) }.map(\.name) }
  /// Those that do not.
  package var missingNames: [String] { Self.words.filter { !contains($0.layer) }.map(\.name) }

  package static let refusal = RenderFailure(
    .worker,
    "this system does not keep the decoders of pictures from files, network and programs, so nothing is "
      + "decoded without a kernel that has seccomp filters",
    advice: "use such a kernel, or take the risk with --allow-unconfined")
}

/// What the renderer of this system can do, as `preheat-render --capabilities` prints it in JSON.
package struct WorkerCapabilities: Codable, Hashable, Sendable {
  /// Preheat's own version.
  package var version: String
  /// libvips' version.
  package var libvips: String
  /// Formats that can be decoded, in the order of ``ImageFormat``.
  package var decodes: [ImageFormat]
  /// Formats that were written and found right; `heif` means HEIC.
  package var encodes: [ImageFormat]
  /// What keeps a worker from files, network and programs.
  package var confinement: Confinement

  package init(
    version: String, libvips: String, decodes: [ImageFormat], encodes: [ImageFormat], confinement: Confinement
  ) {
    self.version = version
    self.libvips = libvips
    self.decodes = decodes
    self.encodes = encodes
    self.confinement = confinement
  }
}
