<?php // Makes and searches strings.  SPDX-License-Identifier: GPL-2.0-or-later
$seen = [];
for ($i = 0; $i < 200000; $i++) {
    $key = substr(md5((string)($i % 5000)), 0, 6) . strrev((string)$i);
    $seen[$key] = ($seen[$key] ?? 0) + strlen(str_replace('a', 'bb', $key));
}
ksort($seen);
echo count($seen), ' ', array_sum($seen), "\n";
