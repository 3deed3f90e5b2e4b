/// The progress of a running tool, as it says itself.
public struct ResolveKitToolProgress: Hashable, Sendable, Codable {
  /// Bytes of UTF-8 that a message is cut to.
  public static let maximumMessageBytes = 256

  /// From 0 to 1; nil where the tool does not know.
  public let fraction: Double?
  /// A few words; empty for none.
  public let message: String

  /// Creates a report; the fraction is clamped to 0 through 1, the message cut to ``maximumMessageBytes``.
  public init(fraction: Double? = nil, message: String = "") {
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.message = Self.cut(message)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fraction: try container.decodeIfPresent(Double.self, forKey: .fraction),
      message: try container.decodeIfPresent(String.self, forKey: .message) ?? "")
  }

  /// Reports the progress of the tool that is running. Costs little: of reports in quick succession the last is shown,
  /// at most one every 100 ms.
  ///
  /// Works in the task that runs the tool and in its child tasks. Has no effect elsewhere, in a detached task for
  /// instance, and none after the call was answered.
  public static func report(fraction: Double? = nil, message: String = "") {
    sink?.take(ResolveKitToolProgress(fraction: fraction, message: message))
  }

  /// The receiver of the current tool's reports.
  @TaskLocal package static var sink: ToolProgressSink?

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > maximumMessageBytes else { return text }
    var kept = String.UnicodeScalarView()
    var size = 0
    for scalar in text.unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= maximumMessageBytes - 3 else { break }
      kept.append(scalar)
    }
    return String(kept) + "…"
  }
}
