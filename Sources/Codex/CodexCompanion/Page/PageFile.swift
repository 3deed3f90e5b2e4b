import Crypto
import HTTPTypes
import Hummingbird
import JSONService
import NIOCore

/// A file of the page, as the build has put it into the program.
struct PageFile: Sendable {
  static let all = [
    PageFile("/", "text/html; charset=utf-8", PackageResources.page_html),
    PageFile("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
    PageFile("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    PageFile("/manifest.webmanifest", "application/manifest+json", PackageResources.page_webmanifest),
    PageFile("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
    PageFile("/icon.png", "image/png", PackageResources.icon_png),
  ]

  let path: String
  private let type: String
  private let contents: ByteBuffer
  private let tag: String

  private init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    self.path = path
    self.type = type
    contents = ByteBuffer(bytes: bytes)
    tag = "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)))\""
  }

  /// The file, or that the browser has it: it asks each time, so that an older script never runs against a newer
  /// companion.
  func response(to request: Request) -> Response {
    var fields: HTTPFields = [.cacheControl: "no-cache", .eTag: tag]
    guard request.headers[.ifNoneMatch] != tag else { return Response(status: .notModified, headers: fields) }
    fields[.contentType] = type
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: contents))
  }
}
