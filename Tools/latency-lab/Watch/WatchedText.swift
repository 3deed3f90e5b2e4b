/// The answer that `watch` shows: a word for each event, from the beginning again after the last.
enum WatchedText {
  static func word(_ sequence: Int) -> Substring { words[sequence % words.count] }

  private static let words = """
    You are reading two copies of one answer. Both servers write a word at the same instant, fifty of them a second, and \
    both send it over a network of the same length that drops packets at the same rate. A packet that is dropped takes \
    its word with it. The server notices only when later packets are acknowledged and this one is not, which takes a \
    round trip; then it sends the word again. Everything behind the gap has arrived by then and waits, because a stream \
    is read in order. So one lost packet holds up a handful of words, and they appear all at once. A protocol that \
    carries every stream in one sequence of bytes holds up all of them together. A sender that repeats the latest words \
    beside the next ones fills the gap before anybody asks, and the reader sees the text flow on as if nothing had been \
    lost. Watch the column that stops, count the words it is behind, and see how far it has to jump to catch up.
    """.split(separator: " ")
}
