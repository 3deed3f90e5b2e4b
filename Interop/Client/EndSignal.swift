import Dispatch
import Glibc

/// The signals that end a server.
enum EndSignal {
  /// Returns at the first of SIGTERM and SIGINT.
  static func first() async {
    let (signals, stream) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { stream.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
