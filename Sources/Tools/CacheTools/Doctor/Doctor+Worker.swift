import Foundation
import Pictures
import Rendering
import Text

extension Doctor {
  /// The renderer, what it can decode and what it can write.
  package func worker() -> [Finding] {
    do throws(RenderFailure) {
      let executable = try RenderPool.locateWorker(environment: environment)
      let found = try RenderPool.capabilities(of: executable, environment: environment)
      return [
        worker(found, executable), Finding("libvips", found.libvips), confinement(found), decoders(found),
        encoders(found, executable),
      ]
    } catch {
      return [Finding("worker", error.message, .error)]
    }
  }

  private func worker(_ found: WorkerCapabilities, _ executable: String) -> Finding {
    let text = "preheat-render \(found.version) at \(executable)"
    guard found.version != PreheatVersion.text else { return Finding("worker", text) }
    return Finding(
      "worker", text, .error, advice: "install preheat and preheat-render \(PreheatVersion.text) together")
  }

  private func confinement(_ found: WorkerCapabilities) -> Finding {
    let layers = found.confinement
    guard layers.contains(.filter) else {
      return Finding(
        "confinement", "the kernel does not confine workers, so nothing is decoded", .error,
        advice:
          emulatingKernel == nil
          ? "use a kernel with seccomp filters, a container runtime that lets them through, or --allow-unconfined"
          : "emulation has no seccomp filters: take preheat for this machine, or --allow-unconfined"
      )
    }
    let missing = layers.missingNames.joined(separator: ", ")
    return Finding(
      "confinement",
      "workers reach no file, network or program (" + layers.names.joined(separator: ", ")
        + (missing.isEmpty ? ")" : "; not here: \(missing))"))
  }

  private func decoders(_ found: WorkerCapabilities) -> Finding {
    let missing = ImageFormat.trusted.subtracting(found.decodes)
    return Finding(
      "decoders", names(found.decodes), missing.isEmpty ? .ok : .error,
      advice: missing.isEmpty
        ? nil : "this libvips cannot read \(names(ImageFormat.allCases.filter(missing.contains)))")
  }

  private func encoders(_ found: WorkerCapabilities, _ executable: String) -> Finding {
    let missing = ImageFormat.allCases.filter {
      $0.recipe(quality: 80) != nil && !found.encodes.contains($0)
    }
    // HEIC and AVIF are asked for by name, and a run says so where they are missing.
    let isBroken = missing.contains(.jpeg) || missing.contains(.png)
    // The archive opens its own libraries, and none of the system's.
    let isArchive = access("\(PathText.folder(of: executable))/../../lib/preheat", F_OK) == 0
    let advice =
      isArchive
      ? "the libraries of the archive do not write it; the Debian package and the container do"
      : "install libheif with its encoders"
    return Finding(
      "encoders", names(found.encodes), missing.isEmpty ? .ok : isBroken ? .error : .warning,
      advice: missing.isEmpty ? nil : "`encode` cannot make \(names(missing)) here; \(advice)")
  }

  private func names(_ formats: [ImageFormat]) -> String {
    formats.map(\.writtenName).joined(separator: ", ")
  }
}
