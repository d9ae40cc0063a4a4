/// What an interval or event is about. A closed set, so that logs of different runs can be compared.
///
/// The first four are names that Nuke's own signposts have (Nuke 12.8.0, `ImagePipeline+*` tasks).
public enum SignpostName: String, Hashable, Sendable, CaseIterable, Codable {
  /// One HTTP exchange, from its start to its last byte. Each redirect and each retry is one of its own.
  case loadImageData = "LoadImageData"
  /// Decoding; where the rows are read as they are needed, also the first step that reads them.
  case decodeImageData = "DecodeImageData"
  /// A step of drawing.
  case processImage = "ProcessImage"
  /// A result is encoded.
  case encodeImage = "EncodeImage"

  // The job.
  /// The job is read.
  case parseJob = "ParseJob"
  /// The plan is made.
  case makePlan = "MakePlan"
  /// An event: a rendition has failed.
  case failRendition = "FailRendition"

  // The way of a source's bytes.
  /// Until there is room for the bytes of a download.
  case waitForBytes = "WaitForBytes"
  /// From requesting a source until its bytes have arrived: queues, redirects and retries included.
  case fetchSource = "FetchSource"
  /// Until a transfer may begin.
  case waitForPlace = "WaitForPlace"
  /// The look-up of a host's name.
  case resolveHost = "ResolveHost"
  /// A TCP connection is made.
  case connectHost = "ConnectHost"
  /// A TLS connection is made.
  case handshakeTLS = "HandshakeTLS"
  /// From the request to the first byte of the answer.
  case waitForAnswer = "WaitForAnswer"
  /// From the first byte of the answer to its last.
  case receiveBody = "ReceiveBody"
  /// An event: a failed load is tried again.
  case retryLoad = "RetryLoad"
  /// An event: a redirect is followed.
  case followRedirect = "FollowRedirect"

  // Worker processes.
  /// Until a worker is free.
  case waitForWorker = "WaitForWorker"
  /// All results of one source in one worker.
  case renderSource = "RenderSource"
  /// The proof that bytes which are stored as they came decode to their end.
  case checkOriginal = "CheckOriginal"
  /// A worker process is started.
  case startWorker = "StartWorker"
  /// A worker process is ended.
  case endWorker = "EndWorker"

  // The cache.
  /// The cache and its ledger are opened.
  case openCache = "OpenCache"
  /// A file is written under a temporary name.
  case stageFile = "StageFile"
  /// The files of a group get their names.
  case publishGroup = "PublishGroup"
  /// The device is asked to keep what was written.
  case synchronizeFiles = "SynchronizeFiles"
  /// A transaction of the ledger.
  case ledgerCommit = "LedgerCommit"
  /// The cache is completed: dates, stamps, ledger.
  case finishCache = "FinishCache"

  /// The room that it belongs to.
  public var category: SignpostCategory {
    switch self {
    case .parseJob, .makePlan, .failRendition: .job
    case .waitForBytes, .fetchSource, .waitForPlace, .loadImageData, .resolveHost, .connectHost,
      .handshakeTLS, .waitForAnswer, .receiveBody, .retryLoad, .followRedirect:
      .network
    case .waitForWorker, .renderSource, .checkOriginal, .startWorker, .endWorker, .decodeImageData,
      .processImage, .encodeImage:
      .render
    case .openCache, .stageFile, .publishGroup, .synchronizeFiles, .ledgerCommit, .finishCache: .store
    }
  }
}

/// The part of a run that a signpost is set in.
public enum SignpostCategory: String, Hashable, Sendable, CaseIterable {
  /// Job, network, workers, cache.
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
  /// A job's file, a URL, a file, a failure's code, a picture's format, a step of drawing.
  case job, url, file, code, format, step
  /// HTTP status.
  case status
  /// Which further attempt it is; 0 for the first.
  case attempt
  /// Bytes and counts of whatever the interval handles.
  case bytes, count
  /// Nanoseconds that a worker was at work.
  case busy
  /// False where an interval ended by a failure.
  case succeeded
}
