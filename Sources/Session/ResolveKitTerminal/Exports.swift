// A view shows a runtime; one import gives both.
@_exported public import ResolveKitUI
