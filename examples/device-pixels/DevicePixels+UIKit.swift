#if canImport(UIKit)
  import UIKit

  extension DevicePixels {
    /// What UIKit alone does: extended range, its rounded rectangles, JPEGs that are prepared for display.
    func drawWithUIKit() throws {
      let half = CGRect(x: 0, y: 0, width: 480, height: 360)
      for (name, isExtended) in [("photo.png", true), ("wide.png", true), ("wide.png", false)] {
        let picture = UIImage(cgImage: try read(name))
        let image = try drawn(half.size, isExtended: isExtended) { picture.draw(in: half) }
        let operation = "\(isExtended ? "extended" : "standard") range, \(name)"
        try add(operation, name, "kingfisher 8", "resizing(referenceSize: 480x360)", image)
      }
      // From a radius of 236 on, the curves of two corners would meet on a side of 720.
      for radius in [12, 60, 230, 250, 300, 340, 359, 360] {
        let picture = UIImage(cgImage: try read("photo.png"))
        let image = try drawn(whole.size) {
          UIBezierPath(roundedRect: whole, cornerRadius: CGFloat(radius)).addClip()
          picture.draw(in: whole)
        }
        let chain = "roundCorner(cornerRadius: \(radius))"
        try add("UIBezierPath corners", "photo.png", "kingfisher 8", chain, image)
      }
      if #available(iOS 15, *) {
        let data = try Data(contentsOf: folder.appendingPathComponent("photo.jpg"))
        let image = try made(UIImage(data: data)?.preparingForDisplay()?.cgImage, "preparingForDisplay")
        let chain = "resizing(referenceSize: 960x720)"
        try add("JPEG prepared for display", "photo.jpg", "kingfisher 8", chain, image)
      }
    }

    private func drawn(_ size: CGSize, isExtended: Bool = false, _ draw: () -> Void) throws -> CGImage {
      let format = UIGraphicsImageRendererFormat()
      format.scale = 1
      format.preferredRange = isExtended ? .extended : .standard
      let image = UIGraphicsImageRenderer(size: size, format: format).image { _ in draw() }
      return try made(image.cgImage, "image of a renderer")
    }
  }
#endif
