package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// addBenchmarkRoutes adds what `bench server` asks of a server that is no file server: 1 KiB from memory, an upload that
// is read, and events every so many milliseconds. They are those of Tools/bench/Server/RouterPeer.swift.
func addBenchmarkRoutes(routes *http.ServeMux) {
	small := []byte(strings.Repeat("x", 1024))
	routes.HandleFunc("/bench/small", func(writer http.ResponseWriter, _ *http.Request) { _, _ = writer.Write(small) })
	routes.HandleFunc("/bench/upload", func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
	})
	routes.HandleFunc("/bench/events/", func(writer http.ResponseWriter, request *http.Request) {
		period, err := strconv.Atoi(strings.TrimPrefix(request.URL.Path, "/bench/events/"))
		if err != nil || period < 1 {
			http.Error(writer, "give the milliseconds between two events", http.StatusBadRequest)
			return
		}
		writeEvents(writer, request, time.Duration(period)*time.Millisecond)
	})
}

// writeEvents writes events of 200 bytes until the client leaves; each holds the time at which it is due.
func writeEvents(writer http.ResponseWriter, request *http.Request, period time.Duration) {
	for due := monotonic(); ; due += period.Nanoseconds() {
		select {
		case <-time.After(time.Duration(due - monotonic())):
		case <-request.Context().Done():
			return
		}
		head := fmt.Sprintf("data: %d ", due)
		if _, err := io.WriteString(writer, head+strings.Repeat("x", 198-len(head))+"\n\n"); err != nil {
			return
		}
		writer.(http.Flusher).Flush()
	}
}

// monotonic is the time of CLOCK_MONOTONIC, which the client compares with its own; Go's package time gives differences.
func monotonic() int64 {
	var moment syscall.Timespec
	const clock = 1
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&moment)), 0)
	return moment.Nano()
}
