import CCurl
import Signposts

extension CurlTransfer {
  /// What an exchange spent its time on, in nanoseconds since its beginning.
  ///
  /// libcurl tells when each phase was over (curl_easy_getinfo(3), "TIMES"). One that did not happen, as on
  /// a connection that was there, takes no time; the one that never ended has the rest.
  func phases(isHTTPS: Bool) -> [(name: SignpostName, begin: Int64, end: Int64)] {
    var ends = [Int64](repeating: 0, count: Int(PCURL_PHASES))
    pcurl_transfer_phases(pointer, &ends)
    var names: [SignpostName] = [.resolveHost, .connectHost, .handshakeTLS, .waitForAnswer, .receiveBody]
    if !isHTTPS {
      names.remove(at: 2)
      ends.remove(at: 2)
    }
    var phases: [(name: SignpostName, begin: Int64, end: Int64)] = []
    var begin: Int64 = 0
    for (index, name) in names.enumerated() {
      let isLast = ends[index] == 0 || index == names.count - 1
      let end = 1000 * (isLast ? ends[names.count - 1] : ends[index])
      if end > begin { phases.append((name, begin, end)) }
      if isLast { break }
      begin = max(begin, end)
    }
    return phases
  }
}
