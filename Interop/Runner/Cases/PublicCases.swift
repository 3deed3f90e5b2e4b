/// The public runner's cases and measurements in its order (quic-interop-runner, testcases_quic.py).
enum PublicCases {
  static let all = tests + measurements

  static let tests: [InteropCase] =
    [
      InteropCase(
        "H", "handshake", about: "The handshake completes.", files: CaseFile.kilobytes(1),
        rules: [.version1, .noRetry, .handshakes(1)]),
      InteropCase(
        "DC", "transfer", about: "Three files come over one connection at once.", files: CaseFile.megabytes(2, 3, 5),
        rules: [.version1, .handshakes(1)]
      ).changed { $0.usualSeconds = 9 },
      InteropCase(
        "LR", "longrtt", about: "The handshake completes when the round trip takes 1.5 s.", testCase: "handshake",
        files: CaseFile.kilobytes(1), rules: [.version1, .noRetry, .handshakes(1), .clientHellos(atLeast: 2)]
      ).changed {
        $0.network = .longRoundTrip
        $0.usualSeconds = 6
      },
      InteropCase(
        "C20", "chacha20", about: "Only ChaCha20 is offered and used.", files: CaseFile.megabytes(3),
        rules: [.version1, .handshakes(1), .onlyChaCha20Offered]
      ).changed { $0.usualSeconds = 3 },
      InteropCase(
        "M", "multiplexing", about: "1 999 files come over one connection; the server raises its stream limit.",
        testCase: "transfer", files: CaseFile.many(1_999, bytes: 32),
        rules: [.version1, .handshakes(1), .streamLimit(atMost: 1_000)]
      ).changed {
        $0.needsKeys = true
        $0.usualSeconds = 4
      },
      InteropCase(
        "S", "retry", about: "The server asks for a new Initial with a token, and the handshake completes.",
        files: CaseFile.kilobytes(10), rules: [.version1, .handshakes(1), .retryTokenUsed]),
      InteropCase(
        "R", "resumption", about: "The second connection resumes the first one's session.",
        files: CaseFile.kilobytes(5, 10), rules: [.version1, .handshakes(2), .secondHandshakeWithoutCertificate]
      ).changed { $0.needsKeys = true },
      InteropCase(
        "Z", "zerortt", about: "Requests go out with the second connection's first flight.",
        files: CaseFile.many(40, bytes: 32, nameLength: zeroRTTNameLength),
        rules: [.version1, .handshakes(2), .zeroRTTCarriesRequests(of: 40 * zeroRTTNameLength)]),
      InteropCase(
        "3", "http3", about: "Three files come over HTTP/3.", files: CaseFile.kilobytes(5, 10, 500),
        rules: [.version1, .handshakes(1)]),
      InteropCase(
        "B", "blackhole", about: "A transfer outlasts 2 s in which nothing passes.", testCase: "transfer",
        files: CaseFile.megabytes(10), rules: [.version1, .handshakes(1)]
      ).changed {
        $0.network = .blackhole
        $0.usualSeconds = 12
      },
      InteropCase(
        "U", "keyupdate", about: "The keys are updated in mid transfer.", serverTestCase: "transfer",
        files: CaseFile.megabytes(3), rules: [.version1, .handshakes(1), .bothUpdateKeys]
      ).changed {
        $0.needsKeys = true
        $0.usualSeconds = 3
      },
      InteropCase(
        "E", "ecn", about: "Both mark their packets for ECN and report marks.", files: CaseFile.kilobytes(100),
        rules: [.version1, .noRetry, .handshakes(1), .bothMarkAndReportECN]
      ).changed { $0.needsKeys = true },
      InteropCase(
        "A", "amplificationlimit", about: "A server with a long certificate chain keeps to three times what it got.",
        testCase: "transfer", files: CaseFile.kilobytes(5),
        rules: [.version1, .handshakes(1), .serverHandshakeBytes(atLeast: 7_500), .amplificationLimit]
      ).changed {
        $0.network = .dropsToServer(Array(2...7))
        $0.certificateChainLength = 9
        $0.needsKeys = true
        $0.usualSeconds = 4
      },
    ] + onBadNetworks + onOtherPaths

  private static let onBadNetworks: [InteropCase] = [
    InteropCase(
      "L1", "handshakeloss", about: "50 handshakes complete while 30 % of the packets are lost.",
      testCase: "multiconnect", files: CaseFile.many(50, bytes: CaseFile.kilobyte), rules: [.version1, .handshakes(50)]
    ).changed {
      $0.network = .loss(0.3)
      $0.timeLimitSeconds = 300
      $0.usualSeconds = 85
    },
    InteropCase(
      "L2", "transferloss", about: "A transfer completes while 2 % of the packets are lost.", testCase: "transfer",
      files: CaseFile.megabytes(2), rules: [.version1, .handshakes(1)]
    ).changed {
      $0.network = .loss(0.02)
      $0.usualSeconds = 3
    },
    InteropCase(
      "C1", "handshakecorruption", about: "50 handshakes complete while 30 % of the packets are damaged.",
      testCase: "multiconnect", files: CaseFile.many(50, bytes: CaseFile.kilobyte), rules: [.version1, .handshakes(50)]
    ).changed {
      $0.network = .corruption(0.3)
      $0.timeLimitSeconds = 300
      $0.usualSeconds = 84
    },
    InteropCase(
      "C2", "transfercorruption", about: "A transfer completes while 2 % of the packets are damaged.",
      testCase: "transfer", files: CaseFile.megabytes(2), rules: [.version1, .handshakes(1)]
    ).changed {
      $0.network = .corruption(0.02)
      $0.usualSeconds = 3
    },
  ]

  private static let onOtherPaths: [InteropCase] = [
    InteropCase(
      "6", "ipv6", about: "A transfer over IPv6.", testCase: "transfer", files: CaseFile.kilobytes(5, 10),
      rules: [.version1, .handshakes(1), .onlyIPv6]
    ).changed { $0.host = "server6" },
    InteropCase(
      "V2", "v2", about: "The server moves the connection to QUIC version 2 (RFC 9368).", files: CaseFile.kilobytes(1),
      rules: [.movesToVersion2]),
    InteropCase(
      "BP", "rebind-port", about: "A transfer continues while a NAT changes the client's port.", testCase: "transfer",
      files: CaseFile.megabytes(10), rules: [.version1, .handshakes(1), .newPathsAreChallenged]
    ).changed {
      $0.network = .rebinding(changesAddress: false)
      $0.needsKeys = true
      $0.usualSeconds = 10
    },
    InteropCase(
      "BA", "rebind-addr", about: "A transfer continues while a NAT changes the client's port and address.",
      testCase: "transfer", files: CaseFile.megabytes(10),
      rules: [.version1, .handshakes(1), .severalClientAddresses, .newPathsAreChallenged]
    ).changed {
      $0.network = .rebinding(changesAddress: true)
      $0.needsKeys = true
      $0.usualSeconds = 10
    },
    InteropCase(
      "CM", "connectionmigration", about: "The client moves to the server's preferred address.",
      testCase: "transfer", serverTestCase: "connectionmigration", files: CaseFile.megabytes(2),
      rules: [.version1, .handshakes(1), .newPathsAreChallenged, .newPathHasNewConnectionID]
    ).changed {
      $0.host = "server46"
      $0.needsKeys = true
      $0.usualSeconds = 2
    },
  ]

  static let measurements: [InteropCase] = [
    InteropCase(
      "G", "goodput", about: "Goodput over a link of 10 Mbit/s.", testCase: "transfer",
      files: CaseFile.megabytes(10), rules: [.version1, .handshakes(1)]
    ).changed {
      $0.kind = .measurement(repetitions: 5, unit: "kbps")
      $0.usualSeconds = 9
    },
    InteropCase(
      "C", "crosstraffic", about: "Goodput over a link of 10 Mbit/s beside one TCP connection (CUBIC).",
      testCase: "transfer", files: CaseFile.megabytes(25), rules: [.version1, .handshakes(1)]
    ).changed {
      $0.kind = .measurement(repetitions: 5, unit: "kbps")
      $0.hasCrossTraffic = true
      $0.timeLimitSeconds = 180
      $0.usualSeconds = 45
    },
  ]

  private static let zeroRTTNameLength = 250
}
