import FileStore
import Glibc
import SQLiteStore
import Text

/// The index of an HTTP cache, opened, whatever was found in its place.
struct OpenedIndex {
  let index: ResponseIndex
  /// The fate of a damaged index, for people; nil where there was none.
  let rebuilding: String?

  init(folder: String, path: String, bodies: FileStore) throws(SQLiteDatabase.Failure) {
    do throws(SQLiteDatabase.Failure) {
      index = try ResponseIndex(path: path)
      rebuilding = nil
    } catch {
      guard error.isDamage else { throw error }
      // Other processes may have met the same file: one of them moves it, the others find the new one.
      let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(lock) }
      _ = SystemCall.repeated { flock(lock, LOCK_EX) }
      (index, rebuilding) = try Self.rebuilt(path, bodies)
    }
  }

  private static func rebuilt(
    _ path: String, _ bodies: FileStore
  ) throws(SQLiteDatabase.Failure) -> (ResponseIndex, String?) {
    let damage: SQLiteDatabase.Failure
    do throws(SQLiteDatabase.Failure) { return (try ResponseIndex(path: path), nil) } catch { damage = error }
    guard damage.isDamage else { throw damage }
    let aside: String
    do throws(SystemCall.Failure) { aside = try DamagedDatabase.moveAside(path) } catch {
      throw SQLiteDatabase.Failure(code: damage.code, message: error.message)
    }
    let index = try ResponseIndex(path: path)
    try index.adopt(aside) { bodies.entry(named: $0)?.allocatedSize }
    let kept = (try? index.count()) ?? 0
    let fate = kept == 0 ? "it is filled again" : "\(NumberText.count(kept, "response")) could be kept"
    return (
      index,
      "the index of the HTTP cache \(path) is damaged (\(damage.message)) and was moved to \(aside); \(fate)"
    )
  }
}
