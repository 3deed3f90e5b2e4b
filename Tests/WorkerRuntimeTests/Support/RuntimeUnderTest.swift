import EventLedger
import Testing
