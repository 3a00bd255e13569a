# Makes pairs.expected and pairs.resampled of pairs.tsv by R's mean, quantile and cor,
# for tests/suite/score.sh:
#
#     cd tests/data/score && Rscript expected.R
#
# SPDX-License-Identifier: GPL-2.0-or-later
options(digits = 15)

pairs <- read.table("pairs.tsv", sep = "\t",
    col.names = c("group", "source", "tool", "measured", "predicted"))
error <- function(p) 100 * abs(p$predicted - p$measured) / p$measured
tau <- function(p) cor(p$measured, p$predicted, method = "kendall")
line <- function(...) cat(..., "\n", sep = "")
about <- function() line("# ", R.version.string)

sink("pairs.expected")
about()
line(format(c(nrow(pairs), mean(error(pairs)),
    quantile(error(pairs), c(0.25, 0.5, 0.75), type = 1), tau(pairs)), digits = 15,
    trim = TRUE) |> paste(collapse = " "))
sink()

# Sources are drawn with all their pairs.
set.seed(1)
by_source <- split(pairs, pairs$source)
drawn <- replicate(20000, {
    again <- do.call(rbind, by_source[sample(length(by_source), replace = TRUE)])
    c(mean(error(again)), tau(again))
})
ends <- apply(drawn, 1, quantile, c(0.025, 0.975))
sink("pairs.resampled")
about()
line(paste(format(c(ends), digits = 15, trim = TRUE), collapse = " "))
sink()
