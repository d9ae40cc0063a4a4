import CCurl
import Signposts

extension CurlTransfer {
  /// What an exchange spent its time on, in nanoseconds since its beginning.
  ///
  /// libcurl tells when each phase was over (curl_easy_getinfo(3), "TIMES"); one that did not happen, as on
  /// a connection that was there, ends when the one before it does.
  var phases: [(name: SignpostName, begin: Int64, end: Int64)] {
    var ends = [Int64](repeating: 0, count: Int(PCURL_PHASES))
    pcurl_transfer_phases(pointer, &ends)
    let names: [SignpostName] = [.resolveHost, .connectHost, .handshakeTLS, .waitForAnswer, .receiveBody]
    var phases: [(name: SignpostName, begin: Int64, end: Int64)] = []
    var begin: Int64 = 0
    for (name, microseconds) in zip(names, ends) {
      let end = microseconds * 1000
      guard end > begin else { continue }
      phases.append((name, begin, end))
      begin = end
    }
    return phases
  }
}
