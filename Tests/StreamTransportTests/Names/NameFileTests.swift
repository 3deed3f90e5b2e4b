import HTTP3Engine
import StreamTransport
import Testing

@Suite struct NameFileTests {
  @Test(arguments: [
    ("example.org", "example.org", false), ("Example.ORG.", "example.org", true), ("a", "a", false),
    ("_sip.a-1.test", "_sip.a-1.test", false), ("1.2.3", "1.2.3", false),
  ])
  func aNameIsLabelsOfLettersDigitsAndHyphens(text: String, expected: String, isComplete: Bool) throws {
    let name = try #require(HostName(text))
    #expect(name.text == expected)
    #expect(name.isComplete == isComplete)
  }

  @Test(arguments: [
    "", ".", "..", "a..b", ".a", "a b", "a\u{0}b", "a\nb", "a/b", "a\\.b", "bücher.test", "fe80::1",
    String(repeating: "a", count: 64) + ".test", String(repeating: "abcdefg.", count: 32),
  ])
  func whatDNSCannotHoldIsNoName(text: String) {
    #expect(HostName(text) == nil)
  }

  @Test func theLongestNameHas253Bytes() {
    let label = String(repeating: "a", count: 63)
    let most = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
    #expect(HostName(most) != nil)
    #expect(HostName(most + ".") != nil)
    #expect(HostName(most + "a") == nil)
  }

  @Test(arguments: [
    ("", [NameSource.hosts, .dns]),
    ("hosts: files dns", [.hosts, .dns]),
    ("hosts:\tdns [!UNAVAIL=return] files # as it was", [.dns, .hosts]),
    ("hosts: files mdns4_minimal [NOTFOUND=return] dns", [.hosts, .dns]),
    (
      "passwd: files\n  hosts: mymachines resolve [ !UNAVAIL = return ] files myhostname dns", [.dns, .hosts, .machine]
    ),
    ("hosts: files", [.hosts]),
    ("hosts: ldap", [.hosts, .dns]),
    ("#hosts: dns\nnetworks: dns", [.hosts, .dns]),
  ])
  func sourcesAreAskedInTheOrderOfTheFile(text: String, expected: [NameSource]) {
    #expect(NameSource.order(nsswitch: text) == expected)
  }

  @Test(arguments: [
    ("a.test", ["192.0.2.1", "2001:db8:0:0:0:0:0:1"]), ("A", ["192.0.2.1"]), ("b.test", ["192.0.2.2"]),
    ("c.test", []), ("d.test", []), ("test", []), ("e.test", ["192.0.2.5"]), ("router", ["fe80:0:0:0:0:0:0:1%1"]),
  ])
  func hostsGivesAllAddressesOfAName(name: String, expected: [String]) throws {
    let file = HostsFile(
      Array(
        """
        # 192.0.2.9 a.test
        192.0.2.1\ta.test a A.test # c.test
        2001:db8::1 a.test
        192.0.2.1 a.test
          192.0.2.2  other  B.Test\r
        300.0.0.1 d.test
        name d.test
        192.0.2.4
        fe80::1%lo router
        192.0.2.5 e.test
        """.utf8))
    #expect(file.addresses(of: try #require(HostName(name))).map(\.literal) == expected)
  }

  @Test func aFileOfAnyBytesIsRead() throws {
    let name = try #require(HostName("a"))
    #expect(HostsFile([0xff, 0, 0x20, 0x61, 0x0a]).addresses(of: name) == [])
    #expect(HostsFile(Array("192.0.2.1 \u{0} a".utf8)).addresses(of: name).count == 1)
  }

  @Test func whereResolvConfSaysNothingTheLocalServerIsAsked() {
    let settings = DNSSettings(resolvConf: "")
    #expect(settings.servers == [.loopback(port: 53)])
    #expect(settings.search == [])
    #expect(settings.dots == 1 && settings.timeout == .seconds(1) && settings.attempts == 4 && !settings.rotates)
  }

  @Test func resolvConfIsReadAsTheSystemsResolverReadsIt() {
    let settings = DNSSettings(
      resolvConf: """
        ; nameserver 192.0.2.9
        nameserver 192.0.2.1 # the first
        nameserver name
        nameserver 2001:db8::1
        nameserver fe80::1%lo
        nameserver 192.0.2.4
        domain first.test
        search Second.test third.test. .
        options ndots:3 timeout:7 attempts:2 rotate edns0 inet6 ndots: debug
        nonsense
        """, machine: "host.fourth.test")
    #expect(
      settings.servers.map(\.description) == [
        "192.0.2.1:53", "[2001:db8:0:0:0:0:0:1]:53", "[fe80:0:0:0:0:0:0:1%1]:53",
      ])
    #expect(settings.search == ["second.test", "third.test"])
    #expect(settings.dots == 3 && settings.timeout == .seconds(7) && settings.attempts == 2 && settings.rotates)
  }

  @Test(arguments: [
    ("options ndots:99 timeout:99 attempts:99", 15, 30, 5), ("options ndots:-1 timeout:0 attempts:0", 0, 1, 1),
    ("options ndots:99999999999999999999 timeout: attempts", 1, 1, 4),
  ])
  func numbersHaveLimits(text: String, dots: Int, seconds: Int, attempts: Int) {
    let settings = DNSSettings(resolvConf: text)
    #expect(settings.dots == dots && settings.timeout == .seconds(seconds) && settings.attempts == attempts)
  }

  @Test(
    arguments: [
      ("", "host.a.test", [:], ["a.test"]), ("", "host", [:], []), ("search .", "host.a.test", [:], []),
      ("search a.test", "", ["LOCALDOMAIN": "b.test c.test"], ["b.test", "c.test"]),
    ] as [(String, String, [String: String], [String])])
  func domainsAreTheFilesOrTheMachinesOrTheEnvironments(
    text: String, machine: String, environment: [String: String], expected: [String]
  ) {
    #expect(DNSSettings(resolvConf: text, environment: environment, machine: machine).search == expected)
  }

  @Test func theEnvironmentChangesOptions() {
    let settings = DNSSettings(resolvConf: "options ndots:2", environment: ["RES_OPTIONS": "ndots:4 rotate"])
    #expect(settings.dots == 4 && settings.rotates)
  }

  @Test func listsHaveLimits() {
    let lines = (1...40).map { "nameserver 192.0.2.\($0)\n" }.joined()
    let settings = DNSSettings(resolvConf: lines + "search " + (1...99).map { "d\($0).test" }.joined(separator: " "))
    #expect(settings.servers.count == 3)
    #expect(settings.search.count == 32)
  }

  @Test(arguments: [
    ("[192.0.2.1]:5353", "192.0.2.1:5353"), ("[2001:db8::1]:5353", "[2001:db8:0:0:0:0:0:1]:5353"),
    ("[192.0.2.1]:0", nil), ("[192.0.2.1]:65536", nil), ("[192.0.2.1]", nil), ("[", nil), ("]:1[", nil), ("[]:53", nil),
  ])
  func aServerMayHaveAPort(text: String, expected: String?) {
    let settings = DNSSettings(resolvConf: "nameserver \(text)")
    #expect(settings.servers.map(\.description) == [expected ?? "127.0.0.1:53"])
  }
}
