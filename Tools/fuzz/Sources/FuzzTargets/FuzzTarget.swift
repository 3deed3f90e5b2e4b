/// A fuzz target, by the name of its folder of inputs: each takes one input and traps where a promise is broken.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case datagrams, frames, http3, repeats, events, altsvc, origins, tickets, proxy, json

  package func run(_ input: [UInt8]) {
    switch self {
    case .datagrams: fuzzDatagrams(input)
    case .frames: fuzzFrames(input)
    case .http3: fuzzHTTP3(input)
    case .repeats: fuzzRepeats(input)
    case .events: fuzzEvents(input)
    case .altsvc: fuzzAltSvc(input)
    case .origins: fuzzOriginMemory(input)
    case .tickets: fuzzTickets(input)
    case .proxy: fuzzProxyAnswer(input)
    case .json: fuzzJSON(input)
    }
  }
}
