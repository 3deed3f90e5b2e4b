import Foundation
import Testing

@testable import latency_lab

struct SoftwareVersionsTests {
  @Test func pinsAreRead() {
    let text = """
      {"pins": [{"identity": "swift-nio", "state": {"revision": "a", "version": "2.101.2"}},
                {"identity": "other", "state": {"branch": "main", "revision": "b"}}], "version": 3}
      """
    #expect(SoftwareVersions.versions(in: Data(text.utf8)) == ["swift-nio": "2.101.2"])
  }

  @Test(arguments: ["", "[]", "{\"pins\": 1}"])
  func rubbishHasNone(_ text: String) {
    #expect(SoftwareVersions.versions(in: Data(text.utf8)).isEmpty)
  }

  @Test func unknownPackagesKeepTheirName() {
    #expect(SoftwareVersions.package("no-such-package", "Something") == "Something")
  }
}
