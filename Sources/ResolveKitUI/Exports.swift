// An app that shows a chat needs the tool protocol and the JSON types too; one import gives both.
@_exported public import ResolveKitCore
