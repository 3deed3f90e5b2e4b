package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// order is a line of standard input; Tools/latency-lab/clients/speaker_arm.py has the words.
type order struct {
	Kind       string            `json:"kind"`
	Connection int               `json:"connection"`
	ID         int               `json:"id"`
	Method     string            `json:"method"`
	Path       string            `json:"path"`
	Fields     map[string]string `json:"fields"`
	Body       *string           `json:"body"`
}

// report is a line of standard output. At is taken before the line waits for anything.
type report struct {
	Kind       string `json:"kind"`
	Connection int    `json:"connection,omitempty"`
	ID         int    `json:"id,omitempty"`
	At         int64  `json:"at,omitempty"`
	Status     int    `json:"status,omitempty"`
	Data       []byte `json:"data,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

const (
	noError         = 0x100 // H3_NO_ERROR, RFC 9114 § 8.1
	reportsThatWait = 4096
	pieceBytes      = 16 << 10
)

// A speaker makes the requests that it is ordered and reports their answers piece by piece, each with its time.
type speaker struct {
	client  *client
	origin  *url.URL
	reports chan report

	lock        sync.Mutex
	connections map[int]*connection
	unwanted    map[int]bool // to be closed as soon as they are made
	requests    map[int]context.CancelFunc
}

type connection struct {
	quic   quic.Connection
	client *http3.ClientConn
}

func speak(origin string) error {
	address, err := url.Parse(origin)
	if err != nil {
		return err
	}
	c, err := newClient()
	if err != nil {
		return err
	}
	c.secrets.ClientSessionCache = nil // each connection is cold
	c.secrets.NextProtos = []string{http3.NextProtoH3}
	// What quic-go's HTTP/3 client has where nothing is set.
	c.settings = &quic.Config{
		Versions: []quic.Version{quic.Version1}, MaxIncomingStreams: -1, KeepAlivePeriod: 10 * time.Second,
	}
	s := &speaker{
		client: c, origin: address, reports: make(chan report, reportsThatWait),
		connections: map[int]*connection{}, unwanted: map[int]bool{}, requests: map[int]context.CancelFunc{},
	}
	go s.writeReports()
	s.reports <- report{Kind: "ready"}
	for orders := json.NewDecoder(os.Stdin); ; {
		var next order
		if err := orders.Decode(&next); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		s.follow(next)
	}
}

// writeReports flushes when no other report waits.
func (s *speaker) writeReports() {
	output := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(output)
	for each := range s.reports {
		if err := lines.Encode(each); err != nil {
			os.Exit(1)
		}
		if len(s.reports) == 0 && output.Flush() != nil {
			os.Exit(1)
		}
	}
}

func (s *speaker) follow(next order) {
	s.lock.Lock()
	defer s.lock.Unlock()
	switch next.Kind {
	case "connect":
		go s.connect(next.Connection)
	case "request":
		ending, cancel := context.WithCancel(context.Background())
		s.requests[next.ID] = cancel
		go s.request(ending, next, s.connections[next.Connection])
	case "drop":
		if cancel := s.requests[next.ID]; cancel != nil {
			cancel()
		}
	case "close":
		if old := s.connections[next.Connection]; old != nil {
			_ = old.quic.CloseWithError(noError, "")
		} else {
			s.unwanted[next.Connection] = true
		}
	}
}

func (s *speaker) connect(number int) {
	made, err := quic.DialAddr(context.Background(), s.origin.Host, s.client.secrets, s.client.settings)
	at := monotonic()
	if err != nil {
		s.reports <- report{Kind: "lost", Connection: number, Reason: err.Error()}
		return
	}
	transport := &http3.Transport{DisableCompression: true}
	s.lock.Lock()
	if s.unwanted[number] {
		s.lock.Unlock()
		_ = made.CloseWithError(noError, "")
		return
	}
	s.connections[number] = &connection{made, transport.NewClientConn(made)}
	s.lock.Unlock()
	s.reports <- report{Kind: "connected", Connection: number, At: at}
	<-made.Context().Done()
	s.lock.Lock()
	delete(s.connections, number)
	s.lock.Unlock()
	s.reports <- report{Kind: "lost", Connection: number, Reason: context.Cause(made.Context()).Error()}
}

func (s *speaker) request(ending context.Context, next order, over *connection) {
	reason := "the connection is closed"
	if over != nil {
		reason = s.exchange(ending, next, over)
	}
	s.lock.Lock()
	s.requests[next.ID]()
	delete(s.requests, next.ID)
	s.lock.Unlock()
	s.reports <- report{Kind: "over", ID: next.ID, Reason: reason}
}

// exchange makes the request and reads its answer; the reason for which that is not whole, or nothing.
func (s *speaker) exchange(ending context.Context, next order, over *connection) string {
	var body io.Reader
	if next.Body != nil {
		body = strings.NewReader(*next.Body)
	}
	request, err := http.NewRequestWithContext(ending, next.Method, s.origin.String()+next.Path, body)
	if err != nil {
		return err.Error()
	}
	for name, value := range next.Fields {
		request.Header.Set(name, value)
	}
	request.Header.Set("User-Agent", "latency-lab")
	answer, err := over.client.RoundTrip(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	s.reports <- report{Kind: "head", ID: next.ID, Status: answer.StatusCode}
	for piece := make([]byte, pieceBytes); ; {
		count, err := answer.Body.Read(piece)
		at := monotonic()
		if count > 0 {
			s.reports <- report{Kind: "data", ID: next.ID, At: at, Data: bytes.Clone(piece[:count])}
		}
		if errors.Is(err, io.EOF) {
			return ""
		} else if err != nil {
			return err.Error()
		}
	}
}
