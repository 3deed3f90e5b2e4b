// A view shows a runtime on a terminal; one import gives all of it.
@_exported public import ResolveKitUI
@_exported public import TerminalIO
