import EventStream
import HTTP3Engine
import ResolveKitCore
import TransportPolicy

/// An event stream gives the same items in one piece, byte by byte, and cut in two at any place.
func fuzzEvents(_ input: [UInt8]) {
  guard input.count <= 2_048 else { return }
  let limits = EventStreamLimits(line: 512, event: 1_024, id: 64, type: 64, comment: 128, buffered: 1_500)
  let whole = items([input[...]], limits)
  precondition(items(input.indices.map { input[$0...$0] }, limits) == whole, "byte by byte it reads otherwise")
  for cut in stride(from: 0, through: input.count, by: max(1, input.count / 64)) {
    precondition(items([input[..<cut], input[cut...]], limits) == whole, "cut at \(cut) it reads otherwise")
  }
}

private struct EventsRead: Equatable {
  var items: [EventStreamItem] = []
  var failure: EventStreamError?
  var lastEventID = ""
}

private func items(_ pieces: [ArraySlice<UInt8>], _ limits: EventStreamLimits) -> EventsRead {
  var parser = EventStreamParser(limits: limits)
  var read = EventsRead()
  for piece in pieces {
    piece.withUnsafeBytes { bytes in
      do throws(EventStreamError) {
        try parser.parse(bytes) { read.items.append($0) }
      } catch {
        read.failure = error
      }
    }
    precondition(parser.bufferedBytes <= limits.buffered, "more is kept than the limit says")
  }
  read.lastEventID = parser.lastEventID
  return read
}

/// An `alt-svc` field's value.
func fuzzAltSvc(_ input: [UInt8]) {
  if case .offers(let offers) = AltSvc(String(decoding: input, as: UTF8.self)) {
    precondition(offers.count <= 8, "more offers than are taken")
    for offer in offers { precondition(offer.service.port > 0 && offer.maximumAge >= 0, "no service") }
  }
}

/// The memory of origins as text: what was read and written reads the same again.
func fuzzOriginMemory(_ input: [UInt8]) {
  let memory = OriginMemory(text: input, now: 1_800_000_000)
  let text = memory.text
  let again = OriginMemory(text: Array(text.utf8), now: 1_800_000_000)
  precondition(again.text == text, "what was written reads otherwise")
}

/// A session ticket's bytes, with and without the digest that they need, and the file of all tickets.
func fuzzTickets(_ input: [UInt8]) {
  var reader = InputReader(input)
  switch reader.byte() % 3 {
  case 0: _ = ResumptionTicket(encoded: Array(input.dropFirst()))
  case 1:
    // A ticket that reads is one that is written the same.
    if let ticket = ResumptionTicket(encodedWithoutDigest: Array(input.dropFirst())) {
      precondition(ResumptionTicket(encoded: ticket.encoded) == ticket, "what was written reads otherwise")
    }
  default: _ = readTicketFile(Array(input.dropFirst()))
  }
}

/// A proxy's answer to CONNECT.
func fuzzProxyAnswer(_ input: [UInt8]) { readProxyAnswer(input) }

/// JSON, and the models of the wire that are read from it.
func fuzzJSON(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  if let value = try? JSONValue(parsing: input), let bytes = try? ResolveKitJSON.encode(value) {
    precondition((try? JSONValue(parsing: bytes)) == value, "what was written reads otherwise")
  }
  _ = try? ResolveKitEnvelope(parsing: text)
  _ = RequestFailure(status: 400, body: input)
  _ = try? ResolveKitJSON.decode(ResolveKitSession.self, from: input)
  _ = try? ResolveKitJSON.decode(MessageSendResponse.self, from: input)
  _ = try? ResolveKitJSON.decode([HistoryMessage].self, from: input)
  _ = try? ResolveKitJSON.decode(CompatibilityResponse.self, from: input)
}
