/// The requests of this client that wait for their end, and those that ended last.
public struct WorkerRequestBook: Sendable {
  /// The meaning of a receipt for this client.
  public enum Standing: Hashable, Sendable {
    /// Ends a request that waited for it.
    case first
    /// The request has ended before; this changes nothing.
    case second
    /// Belongs to another client's request.
    case foreign
  }

  /// Requests that are waited for at once; the oldest is forgotten beyond it.
  public static let maximumPending = 256
  private static let maximumEnded = 1_024

  private var waiting: [(id: String, method: String)] = []
  private var endedIDs: Set<String> = []
  private var endedOrder: [String] = []

  /// A book without requests.
  public init() {}

  /// The ids of the requests without an end, oldest first.
  public var pending: [String] { waiting.map(\.id) }

  /// A request is about to be sent, or sent again under its id.
  public mutating func willSend(_ request: WorkerControlRequest) {
    guard !endedIDs.contains(request.id), !waiting.contains(where: { $0.id == request.id }) else { return }
    waiting.append((request.id, request.method))
    if waiting.count > Self.maximumPending { waiting.removeFirst() }
  }

  /// Takes the end of a request.
  public mutating func take(_ receipt: WorkerReceipt) -> Standing {
    guard !endedIDs.contains(receipt.requestID) else { return .second }
    guard let index = waiting.firstIndex(where: { $0.id == receipt.requestID }) else { return .foreign }
    waiting.remove(at: index)
    endedIDs.insert(receipt.requestID)
    endedOrder.append(receipt.requestID)
    if endedOrder.count > Self.maximumEnded { endedIDs.remove(endedOrder.removeFirst()) }
    return .first
  }
}
