import EnginePair
import HTTP3Engine
import LinkModel

/// Datagrams that client and server do not expect, in every state: bytes, and their own packets damaged, cut, repeated or
/// sent the other way.
func fuzzDatagrams(_ input: [UInt8]) {
  var reader = InputReader(input)
  let opening = FuzzedOpening(reader.byte())
  guard let pair = try? QUICPair.fuzzed(opening, seed: UInt64(reader.byte())) else { fatalError("no pair") }
  let server = EchoServer(on: pair)
  let client = RequestClient(on: pair)
  var seen: [[UInt8]] = []
  pair.onDatagram = { bytes, _ in if seen.count < 64 { seen.append(bytes) } }
  while !reader.isAtEnd {
    let order = reader.byte()
    switch order % 8 {
    case 0: pair.inject(reader.bytes(Int(reader.byte()) * 5), order & 0x80 == 0 ? .toServer : .toClient)
    case 1, 2:
      guard !seen.isEmpty else { break }
      var bytes = seen[reader.number(below: seen.count)]
      for _ in 0..<(order >> 3 & 3) where !bytes.isEmpty {
        bytes[reader.number(below: bytes.count)] ^= reader.byte()
      }
      if order & 0x20 != 0 { bytes.removeLast(reader.number(below: bytes.count + 1)) }
      if order & 0x40 != 0 { bytes += reader.bytes(Int(reader.byte())) }
      pair.inject(bytes, order & 0x80 == 0 ? .toServer : .toClient)
    case 3: client.send("GET", "/bytes/\(reader.number(below: 20_000))")
    case 4 where order & 0x80 != 0: pair.moveClient(reader.byte())
    case 4: client.send("POST", "/echo", body: reader.bytes(Int(reader.byte()) * 8))
    case 5: pair.client.close(.noError, reason: "", at: pair.now)
    case 6: pair.link.cuts = order & 0x80 == 0 ? [] : [.toServer]
    default: run(pair, .milliseconds(Int(reader.byte())))
    }
  }
  pair.link.cuts = []
  settle(pair, client)
  _ = server.keys
}

/// QUIC's frames in packets that are sealed in order, from a client to a server or the other way.
func fuzzFrames(_ input: [UInt8]) {
  var reader = InputReader(input)
  let attack = attack(FuzzedOpening(reader.byte()))
  while !reader.isAtEnd {
    let count = Int(reader.byte())
    switch count {
    case 255: run(attack.pair, .milliseconds(Int(reader.byte()) * 4))
    case 254: attack.pair.moveClient(reader.byte())
    default: attack.send(frames: reader.bytes(count))
    }
  }
  run(attack.pair, .seconds(2))
}

/// HTTP/3's and QPACK's bytes on any stream, from a client to a server or the other way.
func fuzzHTTP3(_ input: [UInt8]) {
  var reader = InputReader(input)
  let attack = attack(FuzzedOpening(reader.byte()))
  // A control stream with SETTINGS and both of QPACK, else most inputs end at the first byte.
  var streams = attack.beginHTTP()
  guard !streams.isEmpty else { return }
  while !reader.isAtEnd {
    let order = reader.byte()
    switch order % 8 {
    case 0: if let id = attack.open(isBidirectional: false) { streams.append(id) }
    case 1: if let id = attack.request() { streams.append(id) }
    case 2: attack.peer?.raw?.reset(streams[Int(order >> 3) % streams.count], code: .requestCancelled)
    case 3: attack.peer?.raw?.stop(streams[Int(order >> 3) % streams.count], code: .requestCancelled)
    case 4 where order & 0x80 != 0: attack.pair.moveClient(reader.byte())
    case 4: run(attack.pair, .milliseconds(Int(reader.byte()) * 4))
    default:
      let id = streams[Int(order >> 3) % streams.count]
      let count = Int(reader.byte())
      attack.peer?.raw?.send(reader.bytes(count), on: id, isLast: count & 7 == 7)
    }
  }
  run(attack.pair, .seconds(2))
}

private func attack(_ opening: FuzzedOpening) -> RawAttack {
  do {
    let pair = try QUICPair.fuzzed(opening, seed: 1, rawSide: opening.attacksServer ? .client : .server)
    return try RawAttack(on: pair, attacksServer: opening.attacksServer)
  } catch {
    fatalError("no handshake: \(error)")
  }
}

private func run(_ pair: QUICPair, _ span: Duration) {
  do {
    try pair.run(for: span)
  } catch {
    fatalError("\(error)")
  }
}

/// Whatever came before, a client that is alone with its server ends: with answers, or with an error.
private func settle(_ pair: QUICPair, _ client: RequestClient) {
  do {
    pair.timeLimit = pair.now + .seconds(200)
    try pair.run { client.isDone && (client.handshake != nil || client.closed != nil) }
  } catch {
    fatalError("hang: \(error)")
  }
}
