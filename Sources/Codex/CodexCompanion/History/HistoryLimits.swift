/// The limits on a history.
package struct HistoryLimits: Hashable, Sendable {
  /// Bytes of a line; one with an image of 8 MB has 9.
  package var line = 16 << 20
  /// Messages, and lines with activities, of a page.
  package var entries = 1_000
  /// Bytes of texts of a page.
  package var pageBytes = 4 << 20
  /// Bytes of one text.
  package var textBytes = 256 << 10
  /// Activities of one line: the files of one patch.
  package var activitiesPerLine = 200
  /// Chats whose histories are kept to be continued.
  package var keptChats = 8
  /// Histories that are read at once.
  package var readers = 4
  /// Files of all chats that are looked at to find one.
  package var files = 200_000
  /// Files that a chat may be made of: a fork, or one with turns taken back, begins in another file.
  package var segments = 32

  package init() {}
}
