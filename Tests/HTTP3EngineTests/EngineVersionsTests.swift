import HTTP3Engine
import Testing

struct EngineVersionsTests {
  @Test(arguments: [EngineVersions.ngtcp2, EngineVersions.nghttp3, EngineVersions.gnutls])
  func librariesReportTheirVersions(_ version: String) {
    let numbers = version.split(separator: ".").map { Int($0) }
    #expect(numbers.count >= 3 && !numbers.prefix(2).contains(nil), "got '\(version)'")
  }
}
