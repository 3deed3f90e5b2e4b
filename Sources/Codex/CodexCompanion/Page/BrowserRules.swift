import HTTPTypes
import Hummingbird

/// Limits, with every response, what a page of this origin may do in a browser, and keeps other pages out.
///
/// Nothing but the origin's own files is loaded, no text becomes a script or markup (`trusted-types 'none'`), and nobody
/// shows the page in a frame, in which a click could be stolen.
struct BrowserRules: RouterMiddleware {
  typealias Context = CompanionContext

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  private static let fields = [
    ("content-security-policy", policy),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(self), payment=(), usb=()"),
    // Not no-referrer, by which some browsers send `origin: null` with a page's own requests.
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
  ].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }

  func handle(
    _ request: Request, context: CompanionContext, next: (Request, CompanionContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers.append(contentsOf: Self.fields)
    return response
  }
}
