import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import CodexCompanion

@Suite struct PageFileTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func file(_ path: String) throws -> PageFile { try #require(PageFile.all.first { $0.path == path }) }

  private func response(_ path: String, ifNoneMatch tag: String? = nil) throws -> Response {
    var head = HTTPRequest(method: .get, scheme: "https", authority: "desk", path: path)
    head.headerFields[.ifNoneMatch] = tag
    return try file(path).response(to: Request(head: head, body: .init(buffer: .init())))
  }

  @Test func whatTheBrowserHasIsNotSentAgain() throws {
    let first = try response("/page.js")
    #expect(first.status == .ok && first.headers[.cacheControl] == "no-cache")
    let tag = try #require(first.headers[.eTag])
    let second = try response("/page.js", ifNoneMatch: tag)
    #expect(second.status == .notModified && second.headers[.eTag] == tag)
    #expect(try response("/page.css", ifNoneMatch: tag).status == .ok)
  }

  /// The policy forbids them, so that they would be without effect.
  @Test func thePageHasNothingInline() throws {
    let html = text(PackageResources.page_html)
    #expect(html.firstMatch(of: /<style|<script(?![^>]*\ssrc="\/page\.js")|\sstyle=|\son[a-z]+=|javascript:/) == nil)
  }

  @Test func whatThePageRefersToIsServed() throws {
    let manifest = text(PackageResources.page_webmanifest)
    let names =
      text(PackageResources.page_html).matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) }
      + manifest.matches(of: /"src": "([^"]*)"/).map { String($0.1) }
    #expect(names.count >= 7)
    for name in names { #expect(PageFile.all.contains { $0.path == name }, "\(name)") }
    #expect(try JSONSerialization.jsonObject(with: Data(manifest.utf8)) is [String: Any])
  }

  /// A model's text never becomes markup.
  @Test func theScriptMakesNoMarkupOfTexts() {
    let script = text(PackageResources.page_js)
    let ways =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function/
    #expect(script.firstMatch(of: ways) == nil)
  }
}
