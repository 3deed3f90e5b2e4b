import Foundation

/// Reads and writes JSON files that begin their life with a version number.
enum VersionedJSON {
  /// Larger files are refused: they are not ours, and a file is read into memory whole.
  static let largestBytes = 512 << 20

  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  static func write(_ value: some Encodable, to url: URL) throws(FileError) {
    do { try encode(value).write(to: url, options: .atomic) } catch { throw .unwritable(url, error) }
  }

  /// - Parameters:
  ///   - what: the file's kind with its article, for the error's text.
  ///   - versions: those that can be read.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, name: String, what: String, versions: ClosedRange<Int>
  ) throws(FileError) -> Value {
    let found: Int
    do { found = try JSONDecoder().decode(Version.self, from: data).version } catch {
      throw .malformed(name, what: what, error)
    }
    guard found <= versions.upperBound else {
      throw FileError(
        "'\(name)' is of version \(found), this program reads up to version \(versions.upperBound): use the program that "
          + "wrote it, or a newer one.")
    }
    guard found > 0 else { throw FileError("'\(name)' says that it is of version \(found), which there never was.") }
    guard found >= versions.lowerBound else {
      throw FileError(
        "'\(name)' is of version \(found), this program reads \(what) from version \(versions.lowerBound) on: use the "
          + "program that wrote it.")
    }
    do { return try JSONDecoder().decode(type, from: data) } catch { throw .malformed(name, what: what, error) }
  }

  /// - Parameter most: in bytes; larger files are refused.
  static func read(_ url: URL, most: Int = largestBytes) throws(FileError) -> Data {
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: most + 1) ?? Data()
    } catch { throw .unreadable(url, error) }
    guard data.count <= most else {
      throw FileError("'\(url.path)' is larger than \(most >> 20) MiB: it is not a file of the lab.")
    }
    return data
  }

  private struct Version: Decodable { var version: Int }
}
