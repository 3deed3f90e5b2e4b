import Testing

@testable import ResolveKitCore

struct RequestFailureTests {
  @Test(
    arguments: [
      (401, #"{"detail":"Invalid client token"}"#, nil, "Invalid client token"),
      (
        403, #"{"detail":{"code":"chat_unavailable","message":"Chat is unavailable, try again later"}}"#,
        "chat_unavailable", "Chat is unavailable, try again later"
      ),
      (
        422, #"{"detail":[{"type":"uuid_parsing","loc":["path","id"],"msg":"bad","input":"x"},{"msg":"also"}]}"#,
        "uuid_parsing", "path.id: bad; also"
      ),
      (422, #"{"detail":[{"loc":["body",3,"text"],"msg":"short"}]}"#, nil, "body.3.text: short"),
      (500, "Internal Server Error", nil, "Internal Server Error"),
      (410, #"{"detail":{"code":"cursor_expired"}}"#, "cursor_expired", "cursor_expired"),
      (429, #"{"error":{"code":"rate_limited","message":"Slow down"}}"#, "rate_limited", "Slow down"),
      (400, #"{"error":"plain"}"#, nil, "plain"),
      (502, "<html><body>Bad Gateway</body></html>", nil, "The backend answered with status 502."),
      (404, "", nil, "The backend answered with status 404."),
      (404, #"{"detail":null}"#, nil, "The backend answered with status 404."),
      (404, #"{"detail":[]}"#, nil, "The backend answered with status 404."),
      (400, #"{"detail":"a\u001b[31mb"}"#, nil, "a[31mb"),
    ] as [(Int, String, String?, String)])
  func readsEveryDialect(status: Int, body: String, code: String?, message: String) {
    let failure = RequestFailure(status: status, body: Array(body.utf8))
    #expect(failure == RequestFailure(status: status, code: code, message: message))
  }

  @Test func aLongBodyIsCut() {
    let failure = RequestFailure(status: 500, body: Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
    #expect(failure.message.count == 512)
  }

  @Test(
    arguments: [
      (nil, .transient), (500, .transient), (503, .transient), (429, .transient), (408, .transient),
      (401, .sessionRefused), (403, .sessionRefused), (404, .sessionRefused), (410, .sessionRefused),
      (409, .conflict), (400, .final), (422, .final), (204, .final), (-1, .final),
    ] as [(Int?, RequestFailure.Kind)])
  func sortsStatuses(status: Int?, kind: RequestFailure.Kind) {
    #expect(RequestFailure(status: status, message: "").kind == kind)
  }
}
