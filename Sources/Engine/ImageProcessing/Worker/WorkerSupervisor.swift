import CSandbox
import CVips
import Glibc
import Pictures
import Rendering
import Text

/// Has the work done by copies of itself, in a process that decodes nothing, and opens libvips for them at the first
/// picture that needs it: with its hundred libraries that takes as long as to draw ten everyday pictures, which need none.
///
/// To copy a process that has libvips takes about a millisecond. So a picture that kills its decoder costs little more
/// than itself, and a hundred of them do not hold up a run. Nor does a copy that makes way for the next one after its share
/// of pictures.
struct WorkerSupervisor {
  /// What was reached before libvips started.
  var namespaces: Confinement
  /// Draws without the filter too, where the system has none.
  var allowsUnconfined: Bool

  /// - Returns: the exit code, once there are no more requests.
  func run() -> Int32 {
    // In this process itself nothing can be drawn: it has left for another namespace and starts no threads.
    guard let stage = WorkerStage() else { return 1 }
    while true {
      stage.set(.talking)
      let worker = ps_fork()
      if worker < 0 { return [EAGAIN, ENOMEM].contains(errno) ? Int32(PS_NO_PROCESSES) : 1 }
      // Nothing of it is left to be put in order: the destructors of all libraries would only take time.
      if worker == 0 { _exit(work(stage)) }
      let status = ps_wait(worker)
      if stage.isLeaving { continue }
      guard stage.isRendering else { ps_end_like(status) }
      let opened = pv_open_for(status)
      guard 0 <= opened else { return 2 }
      var answer = RenderAnswer()
      if opened == 1 { answer.isAgain = true } else { answer.death = status }
      guard (try? RenderFrame.write(answer, to: STDOUT_FILENO)) != nil else { return 1 }
    }
  }

  private func work(_ stage: WorkerStage) -> Int32 {
    pv_open_nothing()
    let confinement = namespaces.union(WorkerSandbox.confine())
    let draws = confinement.contains(.filter) || allowsUnconfined
    return RenderService(stage: stage, confinement: confinement, draws: draws).run() ? 0 : 1
  }
}

extension WorkerCapabilities {
  /// Tries every encoder on a small picture: libheif says only then what it has.
  static func probe(_ confinement: Confinement) -> WorkerCapabilities {
    WorkerCapabilities(
      version: PreheatVersion.text, libvips: VipsLibrary.version,
      decodes: ImageFormat.allCases.filter {
        $0.facts.isDecoded && $0.facts.loader.map { vips.has_operation($0) != 0 } ?? true
      },
      encodes: encodable(),
      confinement: confinement)
  }

  private static func encodable() -> [ImageFormat] {
    let pixels = RenderPixels(width: 16, height: 16, channels: 3)
    guard let image = try? Raster.of(pixels, [UInt8](repeating: 255, count: pixels.byteCount)) else {
      return []
    }
    return ImageFormat.allCases.compactMap { $0.recipe(quality: 50) }.compactMap { recipe in
      let encoder = OutputEncoder(
        encoding: .recipe(EncodingRecipe(recipe)), source: nil, deadline: Deadline(seconds: 10))
      return (try? encoder.encode(Picture(image, note: nil)))?.format
    }
  }
}
