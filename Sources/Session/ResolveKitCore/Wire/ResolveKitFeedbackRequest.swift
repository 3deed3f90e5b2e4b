/// Body of `POST /v1/sessions/{id}/feedback`: a person's rating of the session, given once.
public struct ResolveKitFeedbackRequest: Hashable, Sendable, Codable {
  /// Ratings that the contract knows.
  public static let ratings = 1...5
  /// Longest comment in Unicode scalars.
  public static let maximumCommentLength = 2000

  /// From 1, the worst, to 5.
  public let rating: Int
  /// A person's words; nil for none.
  public let comment: String?

  /// A rating outside ``ratings`` becomes the nearest one; a comment is cut at ``maximumCommentLength``, with "…" as the
  /// mark of the cut, and an empty one is none.
  public init(rating: Int, comment: String? = nil) {
    self.rating = min(max(rating, Self.ratings.lowerBound), Self.ratings.upperBound)
    self.comment = comment.flatMap { $0.isEmpty ? nil : Self.cut($0) }
  }

  private static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > maximumCommentLength else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(maximumCommentLength - 1))) + "…"
  }
}
