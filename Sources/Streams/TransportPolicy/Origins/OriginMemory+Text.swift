/// The memory as text, one line for each thing that is known:
///
///     agent-stream-origins 1
///     path ORIGIN|ORIGIN>HOST:PORT|ORIGIN>:PORT NETWORK USED SMOOTHED VARIATION BROKEN-SINCE BROKEN-UNTIL NEXT-SPAN
///     alternative ORIGIN NETWORK HEARD EXPIRES persist|- HOST|- PORT
///
/// Moments are seconds since 1970, spans seconds, connect times microseconds, and `-` stands for none. Alternatives of an
/// origin are in its order of preference. A line that cannot be read is passed over; another version's text is no text.
extension OriginMemory {
  private static let header = "agent-stream-origins 1"

  package init(text: some Sequence<UInt8>, now: Int) {
    self.init()
    var lines = Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), Array(first) == Array(Self.header.utf8) else { return }
    // What stands behind the last line's end was cut off.
    for line in lines.dropLast() where line.count <= 1_024 {
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      switch words.first {
      case "path": readPath(words)
      case "alternative": readAlternative(words)
      default: break
      }
    }
    forgetWhatIsOld(now: min(max(now, 0), 1 << 53))
  }

  package var text: String {
    var lines = [Self.header]
    for (key, path) in paths.sorted(by: { ($0.key.place, $0.key.network) < ($1.key.place, $1.key.network) }) {
      let numbers: [Int?] = [
        path.used, path.connect?.smoothed, path.connect?.variation, path.broken?.since, path.broken?.until,
        path.nextSpan,
      ]
      lines.append((["path", key.place, key.network] + numbers.map(Self.word)).joined(separator: " "))
    }
    for (origin, offers) in offers.sorted(by: { $0.key < $1.key }) {
      for kept in offers.services {
        lines.append(
          [
            "alternative", origin, offers.network, "\(offers.heard)", "\(kept.expires)",
            kept.persists ? "persist" : "-", kept.service.host ?? "-", "\(kept.service.port)",
          ].joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func readPath(_ words: [String]) {
    guard words.count == 9, let used = Self.moment(words[3]),
      Self.canBeKept(words[1], words[2], used, lengthLimit: Self.placeLengthLimit),
      let span = Self.moment(words[8])
    else { return }
    var connect: ConnectEstimate?
    if words[4] != "-" || words[5] != "-" {
      guard let smoothed = Self.moment(words[4]), let variation = Self.moment(words[5]),
        let estimate = ConnectEstimate(smoothed: smoothed, variation: variation)
      else { return }
      connect = estimate
    }
    var broken: PathRecord.Broken?
    if words[6] != "-" || words[7] != "-" {
      guard let since = Self.moment(words[6]), let until = Self.moment(words[7]) else { return }
      broken = PathRecord.Broken(since: since, until: until)
    }
    guard let record = PathRecord(connect: connect, broken: broken, nextSpan: span, used: used) else { return }
    paths[PathKey(place: words[1], network: words[2])] = record
  }

  private mutating func readAlternative(_ words: [String]) {
    guard words.count == 8, let heard = Self.moment(words[3]), Self.canBeKept(words[1], words[2], heard),
      let expires = Self.moment(words[4]), ["persist", "-"].contains(words[5]), let port = UInt16(words[7]), port > 0,
      words[6] == "-" || AlternativeService.isHost(words[6].utf8)
    else { return }
    let service = AlternativeService(host: words[6] == "-" ? nil : words[6], port: port)
    var offers = offers[words[1]] ?? Offers(network: words[2], heard: heard, services: [])
    guard offers.network == words[2], offers.services.count < AltSvc.limit else { return }
    offers.services.append(.init(service: service, expires: expires, persists: words[5] == "persist"))
    self.offers[words[1]] = offers
  }

  private static func moment(_ word: String) -> Int? {
    guard let value = Int(word), (0...(1 << 53)).contains(value) else { return nil }
    return value
  }

  private static func word(_ number: Int?) -> String { number.map { "\($0)" } ?? "-" }
}
