import CVips

/// libvips, started at most once in a process.
public enum VipsLibrary {
  private static let isStarted = pv_start() == PV_OK.rawValue

  /// False where libvips cannot run, for want of memory or of its own files.
  @discardableResult
  public static func start() -> Bool { isStarted }

  /// As libvips prints it, such as `8.14.1`.
  public static var version: String {
    start() ? String(cString: pv_version()) : "not available"
  }
}
