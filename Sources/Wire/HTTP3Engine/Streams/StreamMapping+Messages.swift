extension StreamMapping {
  /// - Parameter isReady: whether QUIC may send data, early or not.
  func sendRequest(_ fields: [HeaderField], endStream: Bool, isReady: Bool) throws(HTTP3Error) -> StreamID {
    switch self {
    case .http3(let http3): return try http3.sendRequest(fields, endStream: endStream)
    case .http09(let http09): return try http09.sendRequest(fields, endStream: endStream, isReady: isReady)
    case .raw: throw HTTP3Error(.streamLimitReached, "A raw connection has no requests.")
    }
  }

  func sendInformational(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    let stream = try writable(id)
    guard !stream.send.hasFields else {
      throw HTTP3Error(.invalidMessage, "An interim response comes before the final one.")
    }
    // HTTP/0.9 has no fields to send it in.
    if case .http3(let http3) = self { try http3.sendInformational(fields, on: id) }
  }

  func sendResponse(_ fields: [HeaderField], on id: StreamID, endStream: Bool) throws(HTTP3Error) {
    let stream = try writable(id)
    guard !stream.send.hasFields else {
      throw HTTP3Error(.invalidMessage, "A request has one final response.")
    }
    switch self {
    case .http3(let http3): try http3.sendResponse(fields, on: stream, endStream: endStream)
    case .http09(let http09): http09.sendResponse(fields, on: stream, endStream: endStream)
    case .raw: break
    }
  }

  func sendBody(_ bytes: [UInt8], on id: StreamID, endStream: Bool) throws(HTTP3Error) {
    let stream = try bodyWritable(id)
    stream.sendBuffer.append(bytes)
    if endStream {
      stream.sendBuffer.finish()
      stream.send.finish()
    }
    resume(id)
  }

  func sendTrailers(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    let stream = try bodyWritable(id)
    _ = try FieldSection(fields)
    // HTTP/0.9 has no trailers: the body ends.
    if case .http3 = self { stream.sendBuffer.finish(trailers: fields) } else { stream.sendBuffer.finish() }
    stream.send.finish()
    resume(id)
  }

  func cancel(_ id: StreamID, code: ApplicationErrorCode) {
    switch self {
    case .http3(let http3): http3.cancel(id, code: code)
    case .http09(let http09): http09.cancel(id, code: code)
    case .raw: break
    }
  }

  private func resume(_ id: StreamID) {
    switch self {
    case .http3(let http3): http3.resume(id)
    case .http09(let http09): http09.resume(id)
    case .raw: break
    }
  }

  private func writable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    guard let requests else { throw Self.unknownStream(id) }
    return try requests.writable(id)
  }

  private func bodyWritable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    guard let requests else { throw Self.unknownStream(id) }
    return try requests.bodyWritable(id)
  }

  private static func unknownStream(_ id: StreamID) -> HTTP3Error {
    HTTP3Error(.streamClosed, "Stream \(id) takes no more.")
  }
}
