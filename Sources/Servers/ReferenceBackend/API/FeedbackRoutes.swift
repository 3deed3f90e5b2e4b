import EventLedger
import Foundation
import Hummingbird
import JSONService
import ResolveKitCore

/// A person's rating of a session.
struct FeedbackRoutes: Sendable {
  let services: BackendServices

  func submit(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    let body = try await JSONBody.read(request, admission.checkKey)
    var reader = ObjectReader(try body.object())
    let id = Admission.identifier("session_id", context)
    if case .failure(let failure) = id { reader.add([failure.issue]) }
    let rating = reader.integer("rating", range: ResolveKitFeedbackRequest.ratings, isRequired: true) ?? 1
    let comment = reader.string(
      "comment", length: 0...ResolveKitFeedbackRequest.maximumCommentLength, null: .absent)
    reader.forbidOthers()
    try reader.check()
    guard case .success(let id) = id else { throw APIError.sessionNotFound }
    let session = try await admission.session(id, request)
    let feedback = FeedbackRecord(
      id: UUID().uuidString.lowercased(), sessionID: session.id, rating: rating, comment: comment,
      created: services.now())
    guard try await services.feedback.add(feedback) else { throw APIError.feedbackGiven }
    return .json(
      [
        "id": .string(feedback.id), "session_id": .string(feedback.sessionID), "rating": .number(Double(rating)),
        "comment": comment.map { .string($0) } ?? .null, "created_at": .string(feedback.created.zulu),
      ], status: .created)
  }
}
