import Rendering

/// What a step may ask for beside its picture.
struct StepContext {
  let decoder: PictureDecoder
  let limits: RenderLimits
}
