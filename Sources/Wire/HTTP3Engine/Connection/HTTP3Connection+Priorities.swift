import CQUIC

extension HTTP3Connection {
  /// Asks the server to send the rest of the response sooner or later than was asked before, with PRIORITY_UPDATE
  /// (RFC 9218 § 7.2); does nothing when the stream is over. A client's call.
  package func setPriority(_ priority: StreamPriority, of id: StreamID) {
    guard !isClosed, !isServer, let http, streams[id] != nil else { return }
    let value = Array(priority.fieldValue.utf8)
    _ = nghttp3_conn_set_client_stream_priority(http, id.rawValue, value, value.count)
  }

  /// What a server schedules the response by, nil when the stream is unknown.
  package func priority(of id: StreamID) -> StreamPriority? {
    guard let http, isServer else { return nil }
    var priority = nghttp3_pri()
    guard CQUIC_http_get_stream_priority(http, &priority, id.rawValue) == 0 else { return nil }
    return StreamPriority(priority)
  }

  /// Responses take turns unless the client asks for another order: by the default of RFC 9218 § 4.2 a large one would
  /// be sent whole before an event of a later stream.
  func shareBandwidth(_ id: StreamID, _ fields: [HeaderField]) {
    // A PRIORITY_UPDATE may have come before its request (§ 7.2).
    guard !fields.contains(where: { $0.name == "priority" }), priority(of: id) == StreamPriority() else { return }
    streams[id]?.takesTurns = true
    schedule(id, StreamPriority(isIncremental: true))
  }

  /// Takes what a server received and the library accepted on a stream that the client alone sends on.
  ///
  /// The library (1.8) heeds PRIORITY_UPDATE by itself, but not for a stream whose priority we have set.
  func readPriorityUpdates(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    guard isServer, id.isUnidirectional else { return }
    var scanner = clientStreamScanners[id] ?? HTTP3FrameScanner(isUnidirectional: true)
    scanner.scan(bytes) { found in
      guard case .priorityUpdate(let element, let value) = found, let element = Int64(exactly: element),
        streams[StreamID(element)]?.takesTurns == true, let priority = StreamPriority(fieldValue: value)
      else { return }
      schedule(StreamID(element), priority)
    }
    clientStreamScanners[id] = scanner
  }

  /// Nothing is ever sent on this stream again, which is closed and waits for QPACK's table: the library (1.8) frees it as
  /// soon as its fields are read, and would use it afterwards if anything had put it among those that have something to send.
  func keepFromSending(_ stream: StreamState) {
    if let code = stream.closingCode, !stream.isWritingOver { events.append(.stopSendingReceived(stream.id, code)) }
    stream.isWritingOver = true
    stream.takesTurns = false
    endsHeldBack.remove(stream.id)
    guard isServer, let http else { return }
    // With a priority of ours, were it the same, the library heeds no PRIORITY_UPDATE.
    var priority = nghttp3_pri()
    guard CQUIC_http_get_stream_priority(http, &priority, stream.id.rawValue) == 0 else { return }
    _ = CQUIC_http_set_server_stream_priority(http, stream.id.rawValue, &priority)
  }

  private func schedule(_ id: StreamID, _ priority: StreamPriority) {
    guard let http else { return }
    var priority = priority.forLibrary
    _ = CQUIC_http_set_server_stream_priority(http, id.rawValue, &priority)
  }
}
