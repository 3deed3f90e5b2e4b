import CQUIC

/// The functions that the HTTP/3 library calls: each lends the session's owner, whose pointer it was given as user data, to
/// one method. They run inside the library's calls.
enum HTTP3Callbacks {
  static func make() -> nghttp3_callbacks {
    var callbacks = nghttp3_callbacks()
    callbacks.acked_stream_data = { _, id, count, owner, _ in
      notify(owner) { $0.requests.didAcknowledge(count, on: StreamID(id), target: $0.configuration.sendBufferTarget) }
    }
    callbacks.stream_close = { _, id, _, owner, _ in notify(owner) { $0.messageStreamDidClose(StreamID(id)) } }
    callbacks.recv_data = { _, id, data, count, owner, _ in
      notify(owner) { $0.didReceiveBody(UnsafeBufferPointer(start: data, count: count), on: StreamID(id)) }
    }
    callbacks.deferred_consume = { _, id, count, owner, _ in notify(owner) { $0.quic.credit(count, on: StreamID(id)) } }
    callbacks.begin_headers = { _, id, owner, _ in notify(owner) { $0.beginFields(StreamID(id)) } }
    callbacks.recv_header = { _, id, _, name, value, _, owner, _ in
      notify(owner) { $0.didReceiveField(name, value, on: StreamID(id)) }
    }
    callbacks.end_headers = { _, id, _, owner, _ in notify(owner) { $0.headersDidEnd(StreamID(id)) } }
    callbacks.begin_trailers = { _, id, owner, _ in notify(owner) { $0.beginFields(StreamID(id)) } }
    callbacks.recv_trailer = { _, id, _, name, value, _, owner, _ in
      notify(owner) { $0.didReceiveField(name, value, on: StreamID(id)) }
    }
    callbacks.end_trailers = { _, id, _, owner, _ in notify(owner) { $0.trailersDidEnd(StreamID(id)) } }
    callbacks.end_stream = { _, id, owner, _ in notify(owner) { $0.messageDidEnd(StreamID(id)) } }
    callbacks.stop_sending = { _, id, code, owner, _ in
      notify(owner) { $0.libraryStopsReading(StreamID(id), code: ApplicationErrorCode(rawValue: code)) }
    }
    callbacks.reset_stream = { _, id, code, owner, _ in
      notify(owner) { $0.libraryStopsWriting(StreamID(id), code: ApplicationErrorCode(rawValue: code)) }
    }
    callbacks.shutdown = { _, id, owner in notify(owner) { $0.peerDidGoAway(firstUnprocessed: StreamID(id)) } }
    callbacks.recv_settings = { _, settings, owner in
      guard let settings else { return NGHTTP3_ERR_CALLBACK_FAILURE }
      return notify(owner) { $0.settingsDidArrive(PeerSettings(settings.pointee)) }
    }
    return callbacks
  }

  /// Asks for the bytes of a body.
  static var bodyReader: nghttp3_data_reader {
    nghttp3_data_reader(read_data: { _, id, vectors, capacity, flags, owner, _ in
      guard let owner, let vectors, let flags else { return nghttp3_ssize(NGHTTP3_ERR_CALLBACK_FAILURE) }
      return Unmanaged<HTTP3Mapping>.fromOpaque(owner)._withUnsafeGuaranteedRef {
        $0.readBody(StreamID(id), vectors, capacity, flags)
      }
    })
  }
}

/// Lent for one call and not counted, as many are for each packet. A free function, because C callbacks capture nothing, not
/// even a type.
private func notify(_ owner: UnsafeMutableRawPointer?, _ body: (HTTP3Mapping) -> Void) -> Int32 {
  guard let owner else { return NGHTTP3_ERR_CALLBACK_FAILURE }
  Unmanaged<HTTP3Mapping>.fromOpaque(owner)._withUnsafeGuaranteedRef(body)
  return 0
}

extension PeerSettings {
  fileprivate init(_ settings: nghttp3_settings) {
    self.init(
      maximumFieldSectionSize: settings.max_field_section_size,
      qpackTableCapacity: UInt64(settings.qpack_max_dtable_capacity),
      qpackBlockedStreams: UInt64(settings.qpack_blocked_streams),
      allowsExtendedConnect: settings.enable_connect_protocol != 0, allowsDatagrams: settings.h3_datagram != 0)
  }
}
