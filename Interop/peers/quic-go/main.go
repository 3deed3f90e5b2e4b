// A server and a client on quic-go, by the contract of the public interoperability runner.
//
//	quic-go server    serves WWW under / and UPSTREAM under /o/ at ADDRESS:PORT (and ADDRESS6), and what bench asks for under /bench/
//	quic-go client    fetches REQUESTS into DOWNLOADS
//	quic-go request METHOD URL [--field 'NAME: VALUE']… [--body TEXT] [--again]
//	quic-go speak ORIGIN   makes the requests that standard input orders, and reports when what came: the latency lab's client
//
// TESTCASE, CERTIFICATE, PRIVATE_KEY, AUTHORITY, SSLKEYLOGFILE and QLOGDIR are as in Interop/peers/server and client.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "server":
		err = serve()
	case len(os.Args) == 2 && os.Args[1] == "client":
		err = fetchAll()
	case len(os.Args) > 2 && os.Args[1] == "request":
		err = makeRequest(os.Args[2:])
	case len(os.Args) == 3 && os.Args[1] == "speak":
		err = speak(os.Args[2])
	default:
		err = fmt.Errorf("use 'server', 'client', 'request' or 'speak'; see the head of main.go")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quic-go:", err)
		os.Exit(1)
	}
}

// keyLog is the file that TLS secrets are appended to; nil where none is asked for.
func keyLog() (io.Writer, error) {
	path := os.Getenv("SSLKEYLOGFILE")
	if path == "" {
		return nil, nil
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}
