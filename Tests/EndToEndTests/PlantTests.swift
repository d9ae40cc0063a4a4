import Foundation
import TestSupport
import Testing

/// What somebody put where Preheat is going to write.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct PlantTests {
  enum Plant: CaseIterable {
    case link, linkToFolder, hardLink, pipe, folder

    func put(at path: String, outside: TemporaryFolder) throws {
      let victim = outside.file("victim").path
      let files = FileManager.default
      switch self {
      case .link: try files.createSymbolicLink(atPath: path, withDestinationPath: victim)
      case .linkToFolder: try files.createSymbolicLink(atPath: path, withDestinationPath: outside.path)
      case .hardLink: try files.linkItem(atPath: victim, toPath: path)
      case .pipe: #expect(mkfifo(path, 0o644) == 0)
      case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
    }
  }

  /// A folder that must stay as it is.
  private static func outside() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("untouched", to: "victim")
    return folder
  }

  private static func isUntouched(_ folder: TemporaryFolder) throws -> Bool {
    try folder.names() == ["victim"]
      && Data(contentsOf: folder.file("victim")) == Data("untouched".utf8)
  }

  @Test(arguments: [
    "cache.preheat", "cache.preheat/tmp", "cache.preheat/lock", "cache.preheat/ledger.sqlite",
    "cache.preheat/ledger.sqlite-wal", "cache.preheat/ledger.sqlite-shm",
  ])
  func aPlantInTheStateFolderIsRefusedByItsPath(place: String) throws {
    for plant in Plant.allCases {
      // Folders that should be folders are none of these plants; a link to a folder may be no file either.
      if plant == .folder, ["cache.preheat", "cache.preheat/tmp"].contains(place) { continue }
      let outside = try Self.outside()
      let scene = try Scene.ordinary()
      let path = scene.folder.file(place).path
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try plant.put(at: path, outside: outside)
      try scene.run().expect(9, path)
      #expect(try Self.isUntouched(outside), "\(plant) at \(place)")
      #expect(try scene.files().isEmpty)
    }
  }

  @Test(arguments: Plant.allCases)
  func aPlantInTheCacheIsReplacedOrRefusedAndNeverFollowed(plant: Plant) throws {
    let outside = try Self.outside()
    let scene = try Scene.ordinary().warmed()
    let whole = try scene.files()
    let name = try #require(try scene.entries().keys.min())
    let path = scene.folder.file("cache/\(name)").path
    try FileManager.default.removeItem(atPath: path)
    try plant.put(at: path, outside: outside)
    let result = try scene.run()
    if plant == .folder {
      #expect(result.status == 9)
      #expect(result.messages.contains(path))
    } else {
      #expect(result.status == 0)
      #expect(try scene.files() == whole)
    }
    #expect(try Self.isUntouched(outside))
    #expect(scene.leftovers().isEmpty)
  }
}
