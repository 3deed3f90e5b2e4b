import CodexRemoteContract
import HTTPTypes
public import Logging
import ResolveKitCore
public import StreamTransport

/// Pairs this device with a companion by the text of its code.
public struct RemotePairing: Sendable {
  /// The name by which a companion knows that renewable tokens and a pinned certificate are understood.
  private static let client = "agent-stream"
  /// Longer than a person at the workstation is waited for.
  private static let patience = Duration.seconds(45)
  /// The longest name of a device.
  public static let longestName = 64

  private let uri: PairingURI

  /// Reads the code: `codexremote://pair?…`, alone or anywhere in a text, such as what `companion pair` printed.
  ///
  /// A code without a fingerprint is for companions whose certificate an authority vouches for.
  ///
  /// - Parameter allowsPlaintext: whether a code for `http` is taken, for a companion on this very machine.
  ///
  /// Throws ``RemoteError`` with `misuse`.
  public init(code text: String, allowsPlaintext: Bool = false) throws(RemoteError) {
    let words = text.prefix(64 << 10).split { $0.isWhitespace || $0.isNewline }
    let code = words.first { $0.hasPrefix("codexremote://") } ?? words.first ?? ""
    do {
      uri = try PairingURI(parsing: String(code))
    } catch {
      throw RemoteError(.misuse, error.description, cause: error)
    }
    guard uri.scheme == .https || (allowsPlaintext && origin.isLoopback) else {
      throw RemoteError(
        .misuse,
        "The code is for http, which would send the device's token in the clear; let the companion serve TLS. "
          + "For a companion on this machine, allow plaintext by name.")
    }
  }

  /// The companion that the code is of.
  public var origin: Origin {
    Origin(scheme: uri.scheme == .https ? .https : .http, host: uri.host.lowercased(), port: uri.port)
  }

  /// Whether the code pins the companion's certificate.
  public var isPinned: Bool { uri.fingerprint != nil }

  /// Asks to be paired, and waits until a person at the workstation has said yes or no.
  ///
  /// - Parameters:
  ///   - deviceName: what that person is shown.
  ///   - kind: how the companion is reached.
  ///
  /// Throws ``RemoteError``: `forbidden` where the answer was no, or none came; `refused` for a code that was used or is
  /// too old; `certificate` where another party answers at that address.
  public func pair(
    deviceName: String, transport kind: RemoteTransport = .automatic, originStore: OriginStore = OriginStore(),
    resumptionStore: ResumptionStore = ResumptionStore(), logger: Logger = Logger(label: "codex-remote")
  ) async throws -> RemoteHost {
    let transport = try kind.make(
      for: origin, fingerprint: uri.fingerprint, originStore: originStore, resumptionStore: resumptionStore,
      logger: logger)
    let requests = RemoteRequests(transport: transport, clock: .continuous, logger: logger)
    let name = String(deviceName.prefix(Self.longestName))
    let call = RemoteCall(
      .post, "/v1/pairing/confirm",
      body: [
        "pairingId": .string(uri.pairingID), "nonce": .string(uri.nonce), "deviceName": .string(name),
        "client": .string(Self.client),
      ], timeout: Self.patience, answerLimit: 64 << 10)
    let answer: Result<JSONObject, any Error>
    do { answer = .success(try await requests.object(call, token: nil)) } catch { answer = .failure(error) }
    await transport.close()
    let grant = try answer.get()
    guard let deviceID = grant["deviceId"]?.stringValue, (1...200).contains(deviceID.utf8.count),
      let credential = RemoteCredential(json: grant)
    else { throw RemoteError(.malformed, "The companion paired this device, but sent no tokens.") }
    return RemoteHost(origin: origin, fingerprint: uri.fingerprint, deviceID: deviceID, credential: credential)
  }
}
