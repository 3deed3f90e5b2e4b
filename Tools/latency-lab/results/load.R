# The kept runs as data frames, with R alone. DATA.md describes the columns.
#
#   source("Tools/latency-lab/results/load.R")
#   events <- lab_events("loss-2-8-ours")
#   aggregate(waited_ms ~ arm, events[is.na(events$discarded), ], quantile, c(0.5, 0.95, 0.99))

lab_rows <- function(experiment, name, results) {
  rows <- read.csv(file.path(results, experiment, name), na.strings = "", stringsAsFactors = FALSE)
  times <- grepl("_ns$", names(rows))
  rows[times] <- lapply(rows[times], as.numeric)  # Sums of times do not fit into R's integers.
  cbind(experiment = experiment, rows, stringsAsFactors = FALSE)
}

lab_runs <- function(experiment, results = "Tools/latency-lab/results") lab_rows(experiment, "runs.csv", results)

lab_run_of <- function(rows, runs) runs[match(paste(rows$arm, rows$repetition), paste(runs$arm, runs$repetition)), ]

lab_events <- function(experiment, results = "Tools/latency-lab/results") {
  events <- lab_rows(experiment, "raw/events.csv.xz", results)
  run <- lab_run_of(events, lab_runs(experiment, results))
  excess <- events$received_after_ns / 1e6 - run$one_way_delay_ms
  bound <- pmax(0, (run$end_ns - events$scheduled_ns) / 1e6 - run$one_way_delay_ms)
  data.frame(events[c("experiment", "arm", "repetition")], run[c("seed", "discarded")],
             events[c("stream", "sequence", "scheduled_ns")], written_ns = events$scheduled_ns + events$written_after_ns,
             received_ns = events$scheduled_ns + events$received_after_ns, excess_ms = excess,
             waited_ms = ifelse(is.na(excess), bound, excess), row.names = NULL, stringsAsFactors = FALSE)
}

lab_packets <- function(experiment, results = "Tools/latency-lab/results") {
  packets <- lab_rows(experiment, "raw/packets.csv.xz", results)
  run <- lab_run_of(packets, lab_runs(experiment, results))
  due <- packets$entered_ns + packets$transit_ns
  left <- ifelse(is.na(due), packets$entered_ns, due) + packets$late_ns
  data.frame(packets[setdiff(names(packets), c("transit_ns", "late_ns"))], run[c("seed", "discarded")], due_ns = due,
             left_ns = left, row.names = NULL, stringsAsFactors = FALSE)
}
