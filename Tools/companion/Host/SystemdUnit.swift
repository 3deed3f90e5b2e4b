/// A systemd user unit that runs the companion.
///
/// codex is left to its turns when the companion ends, and the next one joins it, so only the companion itself is ended
/// with the unit. What the unit forbids, it forbids to codex too, and to every command that a person approves: it is all
/// that codex's sandbox, which needs user namespaces, works with.
struct SystemdUnit {
  private let command: [String]
  private let variables: [(name: String, value: String)]

  /// - Parameter command: the program's full path and its arguments.
  init(command: [String], variables: [(name: String, value: String)]) {
    self.command = command
    self.variables = variables
  }

  var text: String {
    """
    [Unit]
    Description=Lets paired devices control the Codex of this machine

    [Service]
    Type=notify
    ExecStart=\(command.map { Self.quoted($0, inCommand: true) }.joined(separator: " "))
    \(variables.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)", inCommand: false))\n" }.joined())\
    ExecReload=/bin/kill -HUP $MAINPID
    Restart=on-failure
    RestartSec=5
    RestartPreventExitStatus=64
    KillMode=process
    NoNewPrivileges=yes
    RestrictSUIDSGID=yes
    RestrictRealtime=yes
    LockPersonality=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

    [Install]
    WantedBy=default.target

    """
  }

  /// A word as systemd reads it back (systemd.syntax(7), systemd.service(5)).
  ///
  /// - Parameter inCommand: whether a dollar sign would begin a variable.
  static func quoted(_ word: String, inCommand: Bool) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@+".utf8.contains(byte)
      }
    }
    if plain, !word.isEmpty { return word }
    let inner = word.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "%": text += "%%"
      case "$": text += inCommand ? "$$" : "$"
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: text += Self.escaped(scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(inner)\""
  }

  private static func escaped(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
  }
}
