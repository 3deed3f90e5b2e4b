import HTTPTypes
import Hummingbird
import NIOCore

/// The response to a request for a WebSocket that does not become one.
struct WebSocketRefusal: Error {
  let response: Response

  init(_ status: HTTPResponse.Status, _ sentence: String, _ fields: HTTPFields = [:]) {
    var fields = fields
    fields[.contentType] = "text/plain; charset=utf-8"
    response = Response(
      status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: sentence + "\n")))
  }

  init(_ response: Response) {
    self.response = response
  }
}
