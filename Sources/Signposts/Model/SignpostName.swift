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
  /// From the wish for a source to its bytes: queues, redirects and retries included.
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
