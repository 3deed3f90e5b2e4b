public import Foundation
package import StreamTransport

/// The configuration of a ``ResolveKitTerminalView``.
public struct ResolveKitTerminalConfiguration: Sendable {
  /// The program's name in `.editrc`.
  public var name: String
  /// Whether the output is styled. With `auto`, `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` (bixense.com/clicolors) and
  /// `TERM=dumb` decide before whether there is a terminal does.
  public var color: OutputStyle.Choice
  /// No styles, no line editor, nothing but lines: for screen readers and terminals that know nothing.
  public var isPlain: Bool
  /// The file that typed messages are kept in, nil for none.
  public var historyFile: String?
  /// The time limit of the first connection.
  public var connectTimeout: Duration
  /// The time limit of a turn; nil for none.
  public var turnTimeout: Duration?
  /// Commands beside those that every view has.
  public var commands: [ResolveKitTerminalCommand]
  /// The environment in which `NO_COLOR`, `CLICOLOR_FORCE` and `TERM` are looked up.
  public var environment: [String: String]
  /// The clock of the two limits; tests give their own.
  package var clock = TransportClock.continuous

  /// Creates a configuration; by default with 30 s to connect and no limit on a turn.
  public init(
    name: String = "chat", color: OutputStyle.Choice = .auto, isPlain: Bool = false, historyFile: String? = nil,
    connectTimeout: Duration = .seconds(30), turnTimeout: Duration? = nil, commands: [ResolveKitTerminalCommand] = [],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.name = name
    self.color = color
    self.isPlain = isPlain
    self.historyFile = historyFile
    self.connectTimeout = connectTimeout
    self.turnTimeout = turnTimeout
    self.commands = commands
    self.environment = environment
  }
}
