import Foundation

#if os(macOS)
  @main enum Command {
    static func main() throws {
      let folder = CommandLine.arguments.dropFirst().first ?? "device-pixels"
      try DevicePixels(folder: URL(fileURLWithPath: folder)).drawAll()
    }
  }
#elseif os(iOS)
  import SwiftUI

  @main struct DevicePixelsApp: App {
    @State private var message = "Draws about 110 pictures into this app's documents."

    var body: some Scene {
      WindowGroup {
        VStack {
          Text(message).padding()
          Button("Draw") { message = draw() }
        }
      }
    }

    private func draw() -> String {
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      do {
        try DevicePixels(folder: documents.appendingPathComponent("device-pixels")).drawAll()
        return "Done: the folder device-pixels in this app's documents."
      } catch {
        return "Failed: \(error)"
      }
    }
  }
#endif
