/// The load that kept the machine from a run, in percent of the run's time.
package struct MachineLoad: Codable, Hashable, Sendable {
  /// Processor time that a hypervisor gave to others (`steal` of /proc/stat), of all processors' time.
  package var stealPercent: Double?
  /// Time in which some task waited for a processor (`some` of /proc/pressure/cpu); nil where the kernel does not say.
  package var pressurePercent: Double?

  package init(stealPercent: Double?, pressurePercent: Double?) {
    self.stealPercent = stealPercent
    self.pressurePercent = pressurePercent
  }
}
