/// Runs `body` with a transport, and closes the transport when `body` returns, throws or is cancelled.
///
/// ```swift
/// try await withTransport(HTTP3Transport(origin: origin, tls: tls, logger: logger)) { transport in
///   let response = try await transport.send(HTTPRequest(path: "/"))
///   print(try await response.body.collect(upTo: 1 << 20).count)
/// }
/// ```
///
/// Returns after the transport is closed, so what was learnt of the server is stored and no response outlives `body`: read a
/// response within it. Throws what `body` throws.
public func withTransport<Transport: HTTPTransport, Result, Failure: Error>(
  _ transport: Transport, isolation: isolated (any Actor)? = #isolation,
  _ body: (Transport) async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let result: Result
  do throws(Failure) {
    result = try await body(transport)
  } catch {
    await transport.close()
    throw error
  }
  await transport.close()
  return result
}
