package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/quic-go/quic-go/http3"
)

// makeRequest: METHOD URL [--field 'NAME: VALUE']… [--body TEXT] [--again]. The body is written as it comes.
func makeRequest(arguments []string) error {
	if len(arguments) < 2 {
		return fmt.Errorf("give a METHOD and a URL")
	}
	method, address, body, rounds := arguments[0], arguments[1], "", 1
	fields := http.Header{}
	for rest := arguments[2:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case rest[0] == "--again":
			rounds = 2
		case rest[0] == "--field" && len(rest) > 1:
			name, value, _ := strings.Cut(rest[1], ": ")
			fields.Add(name, value)
			rest = rest[1:]
		case rest[0] == "--body" && len(rest) > 1:
			body = rest[1]
			rest = rest[1:]
		default:
			return fmt.Errorf("'%s' is no option", rest[0])
		}
	}
	c, err := newClient()
	if err != nil {
		return err
	}
	for round := 0; round < rounds; round++ {
		if round > 0 && method == http.MethodGet {
			method = http3.MethodGet0RTT
		}
		if err := c.exchange(method, address, fields, body); err != nil {
			return err
		}
	}
	return nil
}

// exchange makes the request over a connection of its own.
func (c *client) exchange(method, address string, fields http.Header, body string) error {
	transport := &http3.Transport{TLSClientConfig: c.secrets, QUICConfig: c.settings}
	defer transport.Close()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequest(method, address, content)
	if err != nil {
		return err
	}
	request.Header = fields.Clone()
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(os.Stdout, answer.Body); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "status", answer.StatusCode)
	// The ticket may come after the answer.
	time.Sleep(200 * time.Millisecond)
	return nil
}
