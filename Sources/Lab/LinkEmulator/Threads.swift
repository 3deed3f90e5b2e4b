import CLinux
import Foundation

/// Threads of our own: namespaces, scheduling and timer slack belong to a thread, and a task may change its thread.
enum Threads {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread.
  static func start(name: String, _ run: @escaping @Sendable () -> Void) throws(EmulatorError) {
    var handle = pthread_t()
    let box = Unmanaged.passRetained(Body(run))
    let answer = pthread_create(
      &handle, nil,
      { box in
        guard let box else { return nil }
        Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard answer == 0 else {
      box.release()
      throw EmulatorError(
        .system, "No thread can be started; see the limits on processes and memory.",
        cause: SystemCallError("pthread_create", answer: -answer))
    }
    clinux_thread_name(handle, String(name.prefix(15)))
    pthread_detach(handle)
  }

  /// Runs `body` on a new thread and waits for it; for calls that would change the calling thread.
  static func run<Value: Sendable>(
    name: String, _ body: @escaping @Sendable () -> Value
  ) throws(EmulatorError) -> Value {
    let answer = Answer<Value>()
    try start(name: name) { answer.set(body()) }
    return answer.get()
  }
}
