import Digests

extension KingfisherKeyFormat {
  /// The names under which a computed key's bytes must lie in the cache folder, the one that is read first.
  ///
  /// That is one name, but for a forced extension in 8.1.0 to 8.8.1: those probe for a file without it and then read
  /// the one with it, and fail without downloading where only the former is there. So both must hold the bytes.
  ///
  /// - Throws: ``NotCacheable`` where this version can neither store nor find the key.
  public func fileNames(forComputedKey key: String) throws(NotCacheable) -> [String] {
    let hash = version.hashesWithSHA256 ? SHA256.hexadecimal(of: key) : MD5.hexadecimal(of: key)
    var names: [String] = []
    if version.hasForcedExtension, let forced = naming.forcedExtension {
      names.append("\(hash).\(forced)")
    }
    if names.isEmpty || !version.probesForcedExtension {
      let plain = (naming.pathExtension ?? automaticExtension(of: key)).map { "\(hash).\($0)" } ?? hash
      if !names.contains(plain) { names.append(plain) }
    }
    for name in names {
      if name.utf8.contains(UInt8(ascii: "/")) { throw .subfolder(name: name) }
      if name.utf8.count > 255 { throw .nameTooLong(name: name) }
    }
    return names
  }

  /// What `autoExtAfterHashedFileName` takes from a computed key, in its three generations.
  func automaticExtension(of key: String) -> String? {
    guard naming.autoExtension, version.hasAutoExtension else { return nil }
    let found =
      version.cutsAutoExtensionFirst
      ? firstPart(key[...]).flatMap(textAfterLastDot) : textAfterLastDot(key[...]).flatMap(firstPart)
    guard let found, !found.isEmpty else { return nil }
    if version.limitsAutoExtension, found.count > 20 || !found.allSatisfy({ $0.isLetter || $0.isNumber }) {
      return nil
    }
    return String(found)
  }

  /// Up to the first `@`; empty parts do not count.
  private func firstPart(_ text: Substring) -> Substring? { text.split(separator: "@").first }

  private func textAfterLastDot(_ text: Substring) -> Substring? {
    text.lastIndex(of: ".").map { text[text.index(after: $0)...] }
  }
}
