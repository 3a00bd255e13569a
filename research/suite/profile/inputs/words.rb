# Counts and sorts words.  SPDX-License-Identifier: GPL-2.0-or-later
counts = Hash.new(0)
File.foreach("text") { |line| line.split.each { |word| counts[word.downcase] += 1 } }
words = counts.sort_by { |word, n| [-n, word] }
puts words.first(20).map { |word, n| "#{n} #{word.tr('a-m', 'n-z')}" }
