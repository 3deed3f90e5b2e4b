import ArgumentParser
import Foundation

/// A server that is measured, with one certificate and one folder of files for all.
enum ServerSubject: String, CaseIterable, ExpressibleByArgument {
  /// A Hummingbird router on our server.
  case ours
  /// The same with its handlers on the thread that receives datagrams.
  case oursOnLoop = "ours-on-loop"
  /// The same with two loops, and its handlers in the pool.
  case oursOnTwoLoops = "ours-on-two-loops"
  /// ngtcp2's example: our libraries, and next to nothing around them.
  case gtlsserver
  case quicGo = "quic-go"
  case nginx = "nginx130"
  case caddy

  /// A thing that a server is asked for.
  enum Target: String {
    /// 1 KiB from a file.
    case file
    /// 1 KiB from the program's memory.
    case memory
    case events, upload, hold
  }

  /// The path of a target; nil where the server has no such thing.
  func path(of target: Target) -> String? {
    switch (target, self) {
    case (.file, _): "/bench-1024"
    case (.memory, .ours), (.memory, .oursOnLoop), (.memory, .oursOnTwoLoops): "/small"
    // Everybody's files are small here: gtlsserver maps them once, and quic-go and ours have nothing else that is alike.
    case (.memory, .quicGo): "/bench/small"
    case (.memory, .gtlsserver), (.memory, .nginx), (.memory, .caddy): nil
    case (.events, .ours), (.events, .oursOnLoop), (.events, .oursOnTwoLoops): "/events"
    case (.events, .quicGo): "/bench/events"
    // They make no events of their own; behind a proxy the origin's time would be left out.
    case (.events, .gtlsserver), (.events, .nginx), (.events, .caddy): nil
    case (.upload, .ours), (.upload, .oursOnLoop), (.upload, .oursOnTwoLoops): "/upload"
    // It answers a POST with the file.
    case (.upload, .gtlsserver): "/bench-1024"
    case (.upload, .quicGo): "/bench/upload"
    // Their file servers take no bodies.
    case (.upload, .nginx), (.upload, .caddy): nil
    case (.hold, .ours), (.hold, .oursOnLoop), (.hold, .oursOnTwoLoops), (.hold, .gtlsserver): "/upload"
    case (.hold, .quicGo): "/bench/upload"
    case (.hold, .nginx), (.hold, .caddy): nil
    }
  }

  /// Options of our server's program.
  var options: [String] {
    switch self {
    case .oursOnLoop: ["--on-receiving-thread"]
    case .oursOnTwoLoops: ["--loops", "2"]
    case .ours, .gtlsserver, .quicGo, .nginx, .caddy: []
    }
  }

  /// Whether valgrind can follow it.
  var isCountable: Bool {
    switch self {
    case .ours, .oursOnLoop, .oursOnTwoLoops, .gtlsserver: true
    case .quicGo, .nginx, .caddy: false
    }
  }
}
