# Prints a line for each run of an experiment: arm, repetition, events, the events' p50, p95 and p99, and the link's lateness at p99.
#
#   Rscript quantiles.R FOLDER-OF-LOAD.R EXPERIMENT RESULTS

given <- commandArgs(TRUE)
source(file.path(given[1], "load.R"))
events <- lab_events(given[2], given[3])
packets <- lab_packets(given[2], given[3])
packets <- split(packets, paste(packets$arm, packets$repetition))

# The values that a share does not exceed, by the nearest rank.
nearest_rank <- function(values, shares) {
  values <- sort(values)
  values[ceiling(shares * length(values) - 1e-9)]
}

for (run in split(events, paste(events$arm, events$repetition))) {
  link <- packets[[paste(run$arm[1], run$repetition[1])]]
  link <- link[link$transport != "other", ]
  link <- link[c(TRUE, diff(link$number) != 0) & link$verdict == "delivered", ]
  waited <- nearest_rank(pmax(0, run$waited_ms), c(0.5, 0.95, 0.99))
  late <- nearest_rank((link$left_ns - link$due_ns) / 1e6, 0.99)
  cat(run$arm[1], run$repetition[1], nrow(run), sprintf("%.9f", c(waited, late)), sep = ",")
  cat("\n")
}
