// The door to libpq; imported by EventLedgerPostgres alone.
#pragma once

#include <postgresql/libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed; run Tools/setup, which installs it"
#endif
