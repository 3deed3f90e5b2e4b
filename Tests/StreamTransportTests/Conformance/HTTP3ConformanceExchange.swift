import HTTPTypes
import StreamTransport

struct HTTP3ConformanceExchange: ConformanceExchange {
  let exchange: HTTP3ServerExchange

  var request: HTTPRequest { exchange.request }
  var body: ResponseBody { exchange.body }

  func sendInformational(_ response: HTTPResponse) async throws { try await exchange.sendInformational(response) }
  func respond(_ response: HTTPResponse) async throws { try await exchange.respond(response) }
  func write(_ bytes: [UInt8]) async throws { try await exchange.write(bytes) }
  func finish(trailers: HTTPFields?) async throws { try await exchange.finish(trailers: trailers) }
  func abort() async { await exchange.reset() }
}
