package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlog"
)

func serve() error {
	certificate, err := tls.LoadX509KeyPair(os.Getenv("CERTIFICATE"), os.Getenv("PRIVATE_KEY"))
	if err != nil {
		return err
	}
	origin, err := url.Parse(os.Getenv("UPSTREAM"))
	if err != nil {
		return err
	}
	log, err := keyLog()
	if err != nil {
		return err
	}
	proxy := httputil.NewSingleHostReverseProxy(origin)
	proxy.FlushInterval = -1 // at once
	routes := http.NewServeMux()
	routes.Handle("/o/", http.StripPrefix("/o", proxy))
	addBenchmarkRoutes(routes)
	routes.Handle("/", http.FileServer(http.Dir(os.Getenv("WWW"))))

	server := &http3.Server{Handler: routes}
	secrets := http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{certificate}, KeyLogWriter: log})
	settings := &quic.Config{
		Allow0RTT: true, MaxIdleTimeout: 60 * time.Second, Tracer: qlog.DefaultConnectionTracer,
	}
	failures := make(chan error)
	for _, address := range []string{os.Getenv("ADDRESS"), os.Getenv("ADDRESS6")} {
		if address == "" {
			continue
		}
		listener, err := listen(address, secrets, settings)
		if err != nil {
			return err
		}
		go func() { failures <- server.ServeListener(listener) }()
	}
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, syscall.SIGTERM, os.Interrupt)
	select {
	case err := <-failures:
		return err
	case <-ending:
		// GOAWAY, and half a second for what runs.
		limit, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		_ = server.Shutdown(limit)
		return nil
	}
}

func listen(address string, secrets *tls.Config, settings *quic.Config) (*quic.EarlyListener, error) {
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		return nil, err
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(address), Port: port})
	if err != nil {
		return nil, err
	}
	retries := os.Getenv("TESTCASE") == "retry"
	transport := &quic.Transport{Conn: socket, VerifySourceAddress: func(net.Addr) bool { return retries }}
	return transport.ListenEarly(secrets, settings)
}
