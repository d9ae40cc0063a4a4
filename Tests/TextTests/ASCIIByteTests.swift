import Testing

/// Kinds of bytes, against the characters that they are.
@Suite(.timeLimit(.minutes(10)))
struct ASCIIByteTests {
  @Test func kindsAreThoseOfTheCharacter() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      let isASCII = byte < 0x80
      #expect(byte.isDigit == (isASCII && character.isNumber), "\(byte)")
      #expect(byte.isLetter == (isASCII && character.isLetter), "\(byte)")
      #expect(byte.isLowercaseLetter == (isASCII && character.isLowercase), "\(byte)")
      #expect(byte.isLetterOrDigit == (byte.isLetter || byte.isDigit), "\(byte)")
      #expect(byte.isHexadecimalDigit == (isASCII && character.isHexDigit), "\(byte)")
      let value = isASCII ? character.hexDigitValue : nil
      #expect(byte.hexadecimalValue.map { Int($0) } == value, "\(byte)")
      let separators = "()<>@,;:\\\"/[]?={} \t"
      let isToken = isASCII && byte > 0x20 && byte < 0x7F && !separators.contains(character)
      #expect(byte.isToken == isToken, "\(byte)")
    }
  }
}
