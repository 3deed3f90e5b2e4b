package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlog"
)

// A client's settings; the cache of tickets lasts over its connections.
type client struct {
	secrets  *tls.Config
	settings *quic.Config
	folder   string
}

func newClient() (*client, error) {
	authority, err := os.ReadFile(os.Getenv("AUTHORITY"))
	if err != nil {
		return nil, err
	}
	log, err := keyLog()
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	tickets := &ticketCache{ClientSessionCache: tls.NewLRUClientSessionCache(8)}
	return &client{
		secrets:  &tls.Config{RootCAs: roots, ClientSessionCache: tickets, Time: tickets.now, KeyLogWriter: log},
		settings: &quic.Config{MaxIdleTimeout: 60 * time.Second, Tracer: qlog.DefaultConnectionTracer},
		folder:   os.Getenv("DOWNLOADS"),
	}, nil
}

func fetchAll() error {
	c, err := newClient()
	if err != nil {
		return err
	}
	requests := strings.Fields(os.Getenv("REQUESTS"))
	switch testCase := os.Getenv("TESTCASE"); {
	case testCase == "multiconnect":
		c.settings.HandshakeIdleTimeout = 180 * time.Second
		// Each is to have a handshake of its own. With a ticket quic-go sends early data, and fails where that is refused.
		c.secrets.ClientSessionCache = nil
		for _, request := range requests {
			if err := c.connection([]string{request}, http.MethodGet); err != nil {
				return err
			}
		}
		return nil
	case (testCase == "resumption" || testCase == "zerortt") && len(requests) > 1:
		if err := c.connection(requests[:1], http.MethodGet); err != nil {
			return err
		}
		method := http.MethodGet
		if testCase == "zerortt" {
			method = http3.MethodGet0RTT
		}
		return c.connection(requests[1:], method)
	default:
		return c.connection(requests, http.MethodGet)
	}
}

// connection fetches all of them side by side over one connection of their own.
func (c *client) connection(requests []string, method string) error {
	transport := &http3.Transport{TLSClientConfig: c.secrets, QUICConfig: c.settings}
	defer transport.Close()
	var waiting sync.WaitGroup
	failures := make(chan error, len(requests))
	for _, request := range requests {
		waiting.Add(1)
		go func() {
			defer waiting.Done()
			failures <- c.fetch(transport, request, method)
		}()
	}
	waiting.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			return err
		}
	}
	// The ticket may come after the answer.
	time.Sleep(100 * time.Millisecond)
	return nil
}

func (c *client) fetch(transport *http3.Transport, address, method string) error {
	request, err := http.NewRequestWithContext(context.Background(), method, address, nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d", address, answer.StatusCode)
	}
	file, err := os.Create(filepath.Join(c.folder, path.Base(request.URL.Path)))
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := io.Copy(file, answer.Body)
	if err != nil {
		return fmt.Errorf("%s: %w after %d bytes", address, err, size)
	}
	fmt.Printf("%s %s %d bytes, resumed %v\n", answer.Proto, address, size, answer.TLS.DidResume)
	return nil
}
