import Testing

@testable import CodexCompanion

@Suite struct QRCodeTests {
  @Test func hasTheThreeMarksOfACode() throws {
    let code = try QRCode("codexremote://pair?host=h")
    let mark = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    let rows = code.rows
    #expect(code.width == rows.count)
    #expect(rows.prefix(7).map { String($0.prefix(7)) } == mark)
    #expect(rows.prefix(7).map { String($0.suffix(7)) } == mark)
    #expect(rows.suffix(7).map { String($0.prefix(7)) } == mark)
    #expect(QRCode(rows: rows) == code)
  }

  @Test func aTextHasALimit() throws {
    #expect(throws: QRCode.TooLong.self) { try QRCode("") }
    #expect(throws: QRCode.TooLong.self) { try QRCode(String(repeating: "a", count: 2_954)) }
    #expect(try QRCode(String(repeating: "a", count: 2_953)).width == QRCode.maximumWidth)
    // The zero byte is one like the others.
    #expect(try QRCode("a\u{0}b") != QRCode("a\u{0}c"))
  }

  @Test(arguments: [
    [], ["1", "0"], ["10"], ["1a", "00"], ["１"], Array(repeating: String(repeating: "1", count: 178), count: 178),
  ])
  func rowsThatAreNoSquareAreRefused(rows: [String]) {
    #expect(QRCode(rows: rows) == nil)
  }

  @Test func terminalsShowDarkOnLight() throws {
    let code = try #require(QRCode(rows: ["10", "00"]))
    let zone = String(repeating: " ", count: 10) + "\n"
    let line = "    ▀     \n"
    #expect(code.terminalText(.plainOnLight) == zone + zone + line + zone + zone)
    let light = String(repeating: "█", count: 10) + "\n"
    #expect(code.terminalText(.plainOnDark) == light + light + "████▄█████\n" + light + light)
    let coloured = code.terminalText(.coloured).split(separator: "\n")
    #expect(coloured.count == 5)
    #expect(coloured[2] == "\u{1B}[38;5;16;48;5;231m    ▀     \u{1B}[0m")
  }

  @Test func checksumsAreThoseOfTheStandards() {
    #expect(BilevelPNG.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(BilevelPNG.crc32(Array("IEND".utf8)) == 0xAE42_6082)
    #expect(BilevelPNG.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
  }

  @Test func anImageHasTheModules() throws {
    let png = BilevelPNG([[true, false, true], [false, false, true]]).bytes
    // One bit a pixel, 3 by 2; each line has a filter byte and one of pixels.
    #expect(Array(png[16..<24]) == [0, 0, 0, 3, 0, 0, 0, 2])
    #expect(Array(png[41..<52]) == [0x78, 0x01, 1, 4, 0, 0xFB, 0xFF, 0, 0b0100_0000, 0, 0b1100_0000])
  }

  @Test func aLargeImageHasSeveralBlocks() throws {
    let code = try QRCode(String(repeating: "a", count: 2_953))
    let side = (QRCode.maximumWidth + 8) * 4
    let data = ((side + 7) / 8 + 1) * side
    let blocks = (data + 65_534) / 65_535
    #expect(blocks == 2)
    #expect(code.png.count == 8 + 25 + (12 + 2 + 5 * blocks + data + 4) + 12)
    #expect(code.dataURL.hasPrefix("data:image/png;base64,iVBORw0KGgo"))
  }
}
