/// What an interval or event is about. A closed set, so that logs of different runs can be compared.
///
/// The first five are the names that Nuke's own signposts have (Nuke 12.8.0, `ImagePipeline+*` tasks).
public enum SignpostName: String, Hashable, Sendable, CaseIterable, Codable {
  /// One HTTP exchange, from its start to its last byte. Each redirect and each retry is one of its own.
  case loadImageData = "LoadImageData"
  /// Decoding; where the rows are read as they are needed, also the first step that reads them.
  case decodeImageData = "DecodeImageData"
  case processImage = "ProcessImage"
  case decompressImage = "DecompressImage"
  case encodeImage = "EncodeImage"

  // The job.
  case parseJob = "ParseJob"
  case makePlan = "MakePlan"
  case failRendition = "FailRendition"

  // The way of a source's bytes.
  /// Until there is room for the bytes of a download.
  case waitForBytes = "WaitForBytes"
  /// From requesting a source until its bytes have arrived: queues, redirects and retries included.
  case fetchSource = "FetchSource"
  /// Until a transfer may begin.
  case waitForPlace = "WaitForPlace"
  case resolveHost = "ResolveHost"
  case connectHost = "ConnectHost"
  case handshakeTLS = "HandshakeTLS"
  /// From the request to the first byte of the answer.
  case waitForAnswer = "WaitForAnswer"
  case receiveBody = "ReceiveBody"
  case retryLoad = "RetryLoad"
  case followRedirect = "FollowRedirect"

  // Worker processes.
  case waitForWorker = "WaitForWorker"
  /// All results of one source in one worker.
  case renderSource = "RenderSource"
  /// The proof that bytes which are stored as they came decode to their end.
  case checkOriginal = "CheckOriginal"
  case startWorker = "StartWorker"
  case endWorker = "EndWorker"

  // The cache.
  case openCache = "OpenCache"
  case stageFile = "StageFile"
  case publishGroup = "PublishGroup"
  case synchronizeFiles = "SynchronizeFiles"
  case ledgerCommit = "LedgerCommit"
  case finishCache = "FinishCache"

  /// The room that it belongs to.
  public var category: SignpostCategory {
    switch self {
    case .parseJob, .makePlan, .failRendition: .job
    case .waitForBytes, .fetchSource, .waitForPlace, .loadImageData, .resolveHost, .connectHost,
      .handshakeTLS, .waitForAnswer, .receiveBody, .retryLoad, .followRedirect:
      .network
    case .waitForWorker, .renderSource, .checkOriginal, .startWorker, .endWorker, .decodeImageData,
      .processImage, .decompressImage, .encodeImage:
      .render
    case .openCache, .stageFile, .publishGroup, .synchronizeFiles, .ledgerCommit, .finishCache: .store
    }
  }
}

/// The part of a run that a signpost is set in.
public enum SignpostCategory: String, Hashable, Sendable, CaseIterable {
  case job, network, render, store
}

/// A quantity that is looked at from time to time.
public enum SignpostCounter: String, Hashable, Sendable, CaseIterable {
  /// Bytes of sources between download and store, room held for downloads included.
  case bytesInFlight = "BytesInFlight"
  /// Resident bytes of the recording process; its workers are processes of their own.
  case memory = "Memory"
  /// Sources that wait for a worker.
  case queueDepth = "QueueDepth"
}

/// What an argument of a signpost says. A closed set, so that logs can be grouped by it.
public enum SignpostKey: String, Hashable, Sendable, CaseIterable {
  /// Name of a server, with its port where that is not the scheme's own.
  case host
  /// The number of a source in its run, from 1: its download and its rendering have the same.
  case source
  /// The chain of a rendition as the job names it.
  case chain
  /// The number of a worker, from 1.
  case worker
  case job, url, file, code, format, step
  /// HTTP status.
  case status
  /// Which further attempt it is; 0 for the first.
  case attempt
  case bytes, count, width, height
  /// Nanoseconds that a worker was at work.
  case busy
  /// False where an interval ended by a failure.
  case succeeded
}
