package main

import (
	"crypto/tls"
	"sync"
	"time"
)

// ticketCache keeps tickets and a clock for their ages. Go notes a ticket's time in whole seconds, so the age that it
// tells is up to a second too much. GnuTLS (anti_replay.c) takes an age above its own for a replay and refuses the early
// data, and quic-go's HTTP/3 fails the request then. With a clock that is a second behind, the age is never too much.
type ticketCache struct {
	tls.ClientSessionCache
	lock   sync.Mutex
	latest time.Time // of the newest ticket, as Go notes it
}

func (c *ticketCache) Put(key string, state *tls.ClientSessionState) {
	c.lock.Lock()
	c.latest = time.Now().Truncate(time.Second)
	c.lock.Unlock()
	c.ClientSessionCache.Put(key, state)
}

func (c *ticketCache) now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.latest.IsZero() {
		return time.Now()
	}
	// Not before the ticket was given: a negative age is one of weeks.
	if behind := time.Now().Add(-time.Second); behind.After(c.latest) {
		return behind
	}
	return c.latest
}
