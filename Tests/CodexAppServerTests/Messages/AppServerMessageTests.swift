import CodexAppServer
import ResolveKitCore
import TestSupport
import Testing

struct AppServerMessageTests {
  private static func parse(_ text: String) throws(AppServerError) -> AppServerMessage {
    try AppServerMessage(parsing: Array(text.utf8))
  }

  @Test func aMessageIsWhatItsMembersSay() throws {
    let table: [(String, AppServerMessage)] = [
      (#"{"id":1,"result":{"a":1}}"#, .response(id: .integer(1), result: ["a": 1])),
      (#"{"id":"1","result":null}"#, .response(id: .string("1"), result: nil)),
      (#"{"method":"initialized"}"#, .notification(method: "initialized", params: nil)),
      (#"{"method":"m","params":{},"emittedAtMs":1795449876462}"#, .notification(method: "m", params: [:])),
      (#"{"id":0,"method":"m","params":[1],"trace":{}}"#, .request(id: .integer(0), method: "m", params: [1])),
      // Both sides number their own: a method decides, also beside a result.
      (#"{"id":7,"method":"m","result":{}}"#, .request(id: .integer(7), method: "m", params: nil)),
      (#"{"jsonrpc":"2.0","id":-3,"result":false}"#, .response(id: .integer(-3), result: false)),
      (
        #"{"error":{"code":-32001,"message":"m","data":{"x":1}},"id":5}"#,
        .refusal(id: .integer(5), AppServerRefusal(code: -32001, message: "m", data: ["x": 1]))
      ),
      (#"{"error":{"code":-32600},"id":null}"#, .refusal(id: nil, AppServerRefusal(code: -32600, message: ""))),
      (#"{"error":"odd","id":1}"#, .refusal(id: .integer(1), AppServerRefusal(code: 0, message: ""))),
      (
        #"{"error":{"code":1e300,"message":3},"id":1}"#,
        .refusal(id: .integer(1), AppServerRefusal(code: 0, message: ""))
      ),
    ]
    for (text, message) in table {
      #expect(try Self.parse(text) == message, "\(text)")
    }
  }

  @Test(arguments: [
    "", " ", "[]", "1", "null", "{}", "{", #"{"id":1}"#, #"{"method":1}"#, #"{"method":null,"id":1}"#,
    #"{"id":1.5,"method":"m"}"#, #"{"id":null,"method":"m"}"#, #"{"id":[1],"method":"m"}"#,
    #"{"id":1e300,"method":"m"}"#, #"{"id":9007199254740993,"method":"m"}"#, #"{"id":1.5,"result":{}}"#,
    #"{"id":1e999,"result":{}}"#, #"{"id":true,"result":{}}"#, #"{"result":{}}"#, "\u{0}",
    "{\"id\":1,\"result\":\"\u{1}\"}",
    String(repeating: "[", count: 100_000), #"{"id":1,"result":"# + String(repeating: #"{"a":"#, count: 200),
  ])
  func whatIsNoMessageIsMalformed(text: String) {
    let error = #expect(throws: AppServerError.self) { try Self.parse(text) }
    #expect(error?.code == .malformed)
  }

  @Test func messagesAreWrittenWithoutAVersionAndReadAsTheyWere() throws {
    let table: [(AppServerMessage, String)] = [
      (.request(id: .integer(1), method: "m", params: ["a": nil]), #"{"id":1,"method":"m","params":{"a":null}}"#),
      (.notification(method: "initialized", params: nil), #"{"method":"initialized"}"#),
      (.response(id: .string("0"), result: [:]), #"{"id":"0","result":{}}"#),
      (.response(id: .integer(1 << 53 - 1), result: [:]), #"{"id":9007199254740991,"result":{}}"#),
      (
        .refusal(id: .integer(0), AppServerRefusal(code: -32601, message: "no")),
        #"{"error":{"code":-32601,"message":"no"},"id":0}"#
      ),
    ]
    for (message, text) in table {
      #expect(message.json.jsonText == text)
      #expect(try Self.parse(text) == message)
    }
  }

  /// Whole messages with bytes changed, cut and doubled.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func noBytesTrap(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let seeds = [
      #"{"id":0,"method":"item/commandExecution/requestApproval","params":{"itemId":"i","command":"ls"}}"#,
      #"{"method":"item/reasoning/textDelta","params":{"itemId":"i","contentIndex":1e2,"delta":"é\ud83d"}}"#,
      #"{"id":"x","error":{"code":-1,"message":"m","data":[[[]]]}}"#,
    ].map { Array($0.utf8) }
    var readable = 0
    for _ in 0..<3_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      for _ in 0...Int.random(in: 0..<4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[place], at: place)
        default: bytes.removeLast(Int.random(in: 0...min(3, bytes.count), using: &generator))
        }
      }
      switch try? AppServerMessage(parsing: bytes) {
      case .notification(let method, let params)?:
        _ = AppServerNotification(method: method, params: params)
        readable += 1
      case .request(let id, let method, let params)?:
        _ = AppServerRequest(id: id, method: method, params: params)
        readable += 1
      case .response?, .refusal?: readable += 1
      case nil: break
      }
    }
    #expect(readable > 100, "seed \(seed)")
  }
}
