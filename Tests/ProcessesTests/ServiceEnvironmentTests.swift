import Glibc
import Processes
import Testing

struct ServiceEnvironmentTests {
  private static let complete = [
    "LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "tcp:udp", "NOTIFY_SOCKET": "@notices", "WATCHDOG_PID": "7",
    "WATCHDOG_USEC": "3000000",
  ]

  @Test func whatIsGivenIsRead() throws {
    let environment = try ServiceEnvironment(Self.complete, process: 7)
    #expect(environment.descriptors.map(\.number) == [3, 4])
    #expect(environment.descriptors.map(\.name) == ["tcp", "udp"])
    #expect(environment.noticeAddress == "@notices")
    #expect(environment.watchdogTime == .seconds(3))
  }

  /// Notices go to a socket of any process's; the others are for the process that they name.
  @Test func whatIsForAnotherProcessIsPassedOver() throws {
    let environment = try ServiceEnvironment(Self.complete, process: 8)
    #expect(environment.descriptors.isEmpty && environment.watchdogTime == nil)
    #expect(environment.noticeAddress == "@notices")
    let none = try ServiceEnvironment([:], process: 8)
    #expect(none.descriptors.isEmpty && none.watchdogTime == nil && none.noticeAddress == nil)
  }

  @Test func namesAreOptional() throws {
    var variables = Self.complete
    variables["LISTEN_FDNAMES"] = nil
    #expect(try ServiceEnvironment(variables, process: 7).descriptors.map(\.name) == ["unknown", "unknown"])
    variables["LISTEN_FDNAMES"] = "one"
    #expect(try ServiceEnvironment(variables, process: 7).descriptors.map(\.name) == ["unknown", "unknown"])
    variables["WATCHDOG_PID"] = nil
    variables["NOTIFY_SOCKET"] = ""
    let environment = try ServiceEnvironment(variables, process: 7)
    #expect(environment.watchdogTime == .seconds(3) && environment.noticeAddress == nil)
  }

  @Test(arguments: [
    ("LISTEN_PID", "x"), ("LISTEN_PID", "-7"), ("LISTEN_FDS", "0"), ("LISTEN_FDS", "-1"), ("LISTEN_FDS", "2147483647"),
    ("LISTEN_FDS", "2 "), ("WATCHDOG_PID", ""), ("WATCHDOG_USEC", "0"), ("WATCHDOG_USEC", "18446744073709551616"),
  ])
  func whatCannotBeReadIsRefused(_ name: String, _ value: String) {
    var variables = Self.complete
    variables[name] = value
    let failure = #expect(throws: ServiceFailure.self) { _ = try ServiceEnvironment(variables, process: 7) }
    #expect(failure?.code == .variable && failure?.message.hasPrefix("\(name) is '\(value)'") == true)
  }

  /// In a process of its own, as the environment is all threads'.
  @Test func itIsTakenOnceAndKeptFromChildren() async {
    await #expect(processExitsWith: .success) {
      if fcntl(3, F_GETFD) < 0 { precondition(dup2(open("/dev/null", O_RDONLY), 3) == 3) }
      precondition(fcntl(3, F_SETFD, 0) == 0)
      let variables = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1", "NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "5"]
      for (name, value) in variables { setenv(name, value, 1) }
      let environment = try ServiceEnvironment.take()
      precondition(environment.descriptors.map(\.number) == [3] && environment.noticeAddress == "@x")
      precondition(environment.watchdogTime == .microseconds(5))
      precondition(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
      for name in variables.keys { precondition(getenv(name) == nil) }
      let again = try ServiceEnvironment.take()
      precondition(again.descriptors.isEmpty && again.noticeAddress == nil)
    }
  }

  @Test func aDescriptorThatIsNotOpenIsNamed() async {
    await #expect(processExitsWith: .success) {
      // More than any process of the tests has open.
      for (name, value) in ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1000"] { setenv(name, value, 1) }
      do throws(ServiceFailure) {
        _ = try ServiceEnvironment.take()
        preconditionFailure("a descriptor that is not open was taken")
      } catch {
        precondition(error.code == .descriptor && getenv("LISTEN_FDS") == nil)
      }
    }
  }
}
