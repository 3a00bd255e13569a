# Makes SET.expected, SET.band and SET.resampled of SET.tsv, and mean.expected of
# mean.txt, by R's lm, predict, quantile and t.test, for tests/suite/fit.sh:
#
#     cd tests/data/fit && Rscript expected.R
#
# SPDX-License-Identifier: GPL-2.0-or-later
options(digits = 15)

line <- function(key, value) cat(key, " ", format(value, digits = 15), "\n", sep = "")

coefficient <- function(name, row, interval) {
    line(name, row["Estimate"])
    line(paste0(name, "_error"), row["Std. Error"])
    line(paste0(name, "_low"), interval[1])
    line(paste0(name, "_high"), interval[2])
    line(paste0(name, "_t"), row["t value"])
    line(paste0(name, "_p"), row["Pr(>|t|)"])
}

about <- function() cat("# ", R.version.string, "\n", sep = "")

for (set in c("norris", "few", "steep", "flat")) {
    points <- read.table(paste0(set, ".tsv"), col.names = c("x", "y"))
    fit <- lm(y ~ x, points)
    told <- summary(fit)
    sink(paste0(set, ".expected"))
    about()
    line("n", nrow(points))
    coefficient("slope", told$coefficients["x", ], confint(fit)["x", ])
    coefficient("intercept", told$coefficients["(Intercept)", ],
        confint(fit)["(Intercept)", ])
    line("residual", told$sigma)
    line("r2", told$r.squared)
    sink()
    at <- data.frame(x = seq(min(points$x), max(points$x), length.out = 9))
    confidence <- predict(fit, at, interval = "confidence")
    prediction <- predict(fit, at, interval = "prediction")
    write.table(format(cbind(at, confidence, prediction[, 2:3]), digits = 15),
        paste0(set, ".band"), sep = "\t", quote = FALSE, row.names = FALSE,
        col.names = FALSE)
}

set.seed(1)
for (set in c("few", "steep")) {
    points <- read.table(paste0(set, ".tsv"), col.names = c("x", "y"))
    drawn <- replicate(20000, {
        repeat {
            again <- points[sample(nrow(points), replace = TRUE), ]
            if (length(unique(again$x)) > 1) break
        }
        coef(lm(y ~ x, again))
    })
    sink(paste0(set, ".resampled"))
    about()
    ends <- quantile(drawn[2, ], c(0.025, 0.975))
    line("slope_resampled_low", ends[1])
    line("slope_resampled_high", ends[2])
    ends <- quantile(drawn[1, ], c(0.025, 0.975))
    line("intercept_resampled_low", ends[1])
    line("intercept_resampled_high", ends[2])
    sink()
}

values <- scan("mean.txt", quiet = TRUE)
test <- t.test(values)
sink("mean.expected")
about()
line("n", length(values))
line("mean", mean(values))
line("low", test$conf.int[1])
line("high", test$conf.int[2])
sink()
