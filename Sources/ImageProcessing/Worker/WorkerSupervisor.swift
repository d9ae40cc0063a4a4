import CSandbox
import Glibc
import Rendering

/// Keeps a started libvips at hand, in a process that decodes nothing, and has the work done by a copy of it.
///
/// To load libvips with its plug-ins takes forty milliseconds, to copy a process that has done so about one. So
/// a picture that kills its decoder costs little more than itself, and a hundred of them do not hold up a run.
enum WorkerSupervisor {
  /// - Returns: the exit code, once there are no more requests.
  static func run() -> Int32 {
    guard let stage = WorkerStage() else { return work(nil) }
    while true {
      stage.set(.talking)
      let worker = ps_fork()
      if worker < 0 { return work(nil) }
      if worker == 0 { exit(work(stage)) }
      let status = ps_wait(worker)
      guard stage.isRendering else { ps_end_like(status) }
      do throws(RenderFrame.Failure) {
        try RenderFrame.write(RenderAnswer(death: status), payload: [UInt8](), to: STDOUT_FILENO)
      } catch {
        return 1
      }
    }
  }

  private static func work(_ stage: WorkerStage?) -> Int32 {
    WorkerSandbox.confine()
    return RenderService.run(stage: stage) ? 0 : 1
  }
}
