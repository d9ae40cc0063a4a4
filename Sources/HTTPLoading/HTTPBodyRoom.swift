/// Room for bodies that are still coming in, shared with whatever holds the finished ones.
///
/// A loader asks it before a body outgrows ``HTTPConfiguration/bodyAllowance``, and pauses the transfer
/// where there is no room, so that slow consumers slow the downloads. When an exchange ends the loader gives
/// back all it took for it: what becomes of the finished body is its owner's to count. Called on the loader's
/// own thread, so it has to return at once.
public protocol HTTPBodyRoom: Sendable {
  /// Takes the bytes if they are free.
  func takeIfFree(_ bytes: Int) -> Bool
  /// Takes them in any case: something has to go on, or nothing ever would.
  func takeAnyway(_ bytes: Int)
  func give(_ bytes: Int)
}
