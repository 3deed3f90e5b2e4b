import Glibc
import HTTPTypes
import ResolveKitCore
import StreamTransport

/// A device's token for each request, renewed in time; one renewal at a time, in all programs that share the file.
actor RemoteAuthorization {
  private let host: RemoteHost
  private let store: RemoteHostStore?
  private let requests: RemoteRequests
  private let now: @Sendable () -> Int
  private var credential: RemoteCredential
  private var renewal: Task<RemoteCredential, any Error>?

  /// - Parameters:
  ///   - store: where renewed tokens are kept; nil to keep them in memory alone.
  ///   - now: returns milliseconds since 1970.
  init(_ host: RemoteHost, store: RemoteHostStore?, requests: RemoteRequests, now: @escaping @Sendable () -> Int) {
    self.host = host
    self.store = store
    self.requests = requests
    self.now = now
    credential = host.credential
  }

  /// A token that is good now, as far as this device knows. Throws ``RemoteError``.
  func token() async throws -> String {
    guard credential.renewalToken != nil, credential.isAboutToExpire(at: now()) else { return credential.token }
    do {
      return try await renewed(after: credential.token)
    } catch let error as RemoteError where error.isTransient {
      // It may be good for a while yet.
      return credential.token
    }
  }

  /// The token after one that the companion refused; throws ``RemoteError`` with `unauthorized` where there is none.
  func renewed(after refused: String) async throws -> String {
    if credential.token != refused { return credential.token }
    if let renewal { return try await renewal.value.token }
    let task = Task { try await renew(refused) }
    renewal = task
    let result = await task.result
    renewal = nil
    credential = try result.get()
    return credential.token
  }

  private func renew(_ refused: String) async throws -> RemoteCredential {
    guard let store else { return try await ask(credential) }
    return try await store.locked {
      guard let kept = try store.credential(of: host) else {
        throw RemoteError(.unauthorized, "This device is no longer paired with \(host.name); pair it again.")
      }
      // Another program was faster.
      if kept.token != refused { return kept }
      let new = try await ask(kept)
      try store.replace(new, of: host)
      return new
    }
  }

  private func ask(_ credential: RemoteCredential) async throws -> RemoteCredential {
    guard let renewalToken = credential.renewalToken else {
      throw RemoteError(.unauthorized, "The companion no longer takes this device's token; pair it again.")
    }
    // A renewal whose answer was lost may be asked for again, and brings the same tokens.
    let answer = try await requests.object(
      RemoteCall(.post, "/v1/pairing/renew", body: ["renewalToken": .string(renewalToken)]), token: nil)
    guard let new = RemoteCredential(json: answer) else {
      throw RemoteError(.malformed, "The companion renewed the tokens, but sent none.")
    }
    return new
  }
}

/// The time of day.
enum WallClock {
  /// Milliseconds since 1970.
  static func milliseconds() -> Int {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int(time.tv_sec) &* 1_000 &+ Int(time.tv_nsec) / 1_000_000
  }
}
