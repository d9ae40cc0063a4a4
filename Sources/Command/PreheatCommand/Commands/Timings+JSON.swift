import Signposts
import Text

extension OperationStatistics {
  /// Times in nanoseconds, as in the log.
  package var json: JSONObject {
    var object: JSONObject = ["v": .integer(1), "type": .string("operation"), "name": .string(name)]
    if let group { object["group"] = .string(group) }
    let figures: [(String, Int)] = [
      ("count", count), ("total", Int(total)), ("mean", Int(mean)), ("p50", Int(p50)), ("p95", Int(p95)),
      ("p99", Int(p99)), ("max", Int(max)),
    ]
    for (name, value) in figures { object[name] = .integer(value) }
    object["parallelism"] = .number(meanParallelism)
    object["peakParallelism"] = .integer(peakParallelism)
    object["unfinished"] = .integer(unfinished)
    object["histogram"] = .array(
      histogram.buckets.map { bucket in
        .object([
          "from": .integer(Int(bucket.from)), "to": bucket.to == .max ? .null : .integer(Int(bucket.to)),
          "count": .integer(bucket.count),
        ])
      })
    return object
  }
}

extension OperationComparison {
  package var json: JSONObject {
    var object: JSONObject = ["v": .integer(1), "type": .string("comparison"), "name": .string(name)]
    if let group { object["group"] = .string(group) }
    object["before"] = before.map { .object($0.json) } ?? .null
    object["after"] = after.map { .object($0.json) } ?? .null
    object["change"] = change.map(JSONValue.number) ?? .null
    object["noise"] = noise.map(JSONValue.number) ?? .null
    object["verdict"] = .string(verdict.rawValue)
    return object
  }
}
