// Fills a folder with pictures that an app with Nuke 13 finds in its DataCache, three pixels a point:
//
//     swift run library-example CACHE-FOLDER URL...

import Foundation
import Preheat

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first, arguments.count > 1 else {
  print("usage: library-example CACHE-FOLDER URL...")
  exit(2)
}

let dataCache = try DataCache(path: URL(fileURLWithPath: folder))
let pipeline = ImagePipeline {
  $0.dataLoader = DataLoader(cache: nil)
  $0.dataCache = dataCache
  $0.dataCachePolicy = .automatic
  $0.screenScale = 3
}

var failures = 0
for address in arguments.dropFirst() {
  let request = ImageRequest(url: URL(string: address), processors: [.resize(width: 320)])
  do {
    let response = try await pipeline.imageTask(with: request).response
    let origin = response.cacheType.map { "from \($0)" } ?? "made"
    print("\(origin): \(response.image.width)x\(response.image.height) \(address)")
  } catch {
    failures += 1
    print("failed: \(address): \(error)")
  }
}
dataCache.flush()
exit(failures == 0 ? 0 : 3)
