import Foundation

/// A client that is measured; all of them verify the server's certificate, except ngtcp2's, which cannot.
enum Contestant: String, CaseIterable {
  case ours
  /// Ours with its reader on the thread that receives, as libcurl's is.
  case oursHere = "ours, one thread"
  case libcurl
  case aioquic
  /// ngtcp2's own example client: the same libraries and next to nothing around them.
  case gtlsclient

  /// Whether it is available; reports it when not.
  func isAvailable(_ programs: Programs) -> Bool {
    switch self {
    case .ours, .oursHere: true
    case .libcurl: programs.has(rawValue, [programs.clients, "libcurl_client.py"])
    case .aioquic: programs.has(rawValue, [programs.clients, "aioquic_client.py"])
    case .gtlsclient: programs.has(rawValue, [programs.ngtcp2])
    }
  }

  /// The client's command for one of the modes that the scripts and `transport-peer` share; gtlsclient has none of
  /// them.
  func command(_ mode: String, _ url: String, _ programs: Programs, _ arguments: [String] = []) -> [String]? {
    switch self {
    case .ours: programs.ours + [mode, url, programs.authority] + arguments
    case .oursHere: programs.ours + [mode, url, programs.authority] + arguments + ["--here"]
    case .libcurl: [programs.clients, "libcurl_client.py", mode, url, programs.authority] + arguments
    case .aioquic: [programs.clients, "aioquic_client.py", mode, url, programs.authority] + arguments
    case .gtlsclient: nil
    }
  }
}
