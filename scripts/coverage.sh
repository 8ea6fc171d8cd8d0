#!/bin/bash
# Prints the share of lines that the tests run, by target and in three groups, and fails below the
# goals. The argument is the JSON of llvm-cov export.
set -euo pipefail

awk -v RS='"filename":"' '
  function percent(covered, count) { return count == 0 ? 0 : 100 * covered / count }
  function report(name, group, goal,   share) {
    share = percent(covered[group], count[group])
    printf "%-52s %6.2f %% of %6d lines (goal: above %d %%)%s\n", name, share, count[group], goal,
      (share > goal ? "" : "  TOO LOW")
    if (share <= goal) failed = 1
  }
  {
    file = substr($0, 1, index($0, "\"") - 1)
    if (!match(file, /\/Sources\/[^\/]+\//)) next
    target = substr(file, RSTART + 9, RLENGTH - 10)
    if (!match($0, /"lines":\{"count":[0-9]+,"covered":[0-9]+/)) next
    split(substr($0, RSTART, RLENGTH), words, /[:,]/)
    group = target ~ /^(AppStoreModel|AppStoreVerification|EntitlementLedger)$/ ? "core" : "rest"
    if (!(target in seen)) { seen[target] = 1; order[++targets] = target }
    count[target] += words[3]; covered[target] += words[5]
    count[group] += words[3]; covered[group] += words[5]
    count["all"] += words[3]; covered["all"] += words[5]
  }
  END {
    for (i = 1; i <= targets; i++)
      printf "  %-50s %6.2f %% of %6d lines\n", order[i],
        percent(covered[order[i]], count[order[i]]), count[order[i]]
    report("model, verification and ledger", "core", 95)
    report("the rest of the package", "rest", 85)
    report("the whole package", "all", 85)
    exit failed
  }
' "$1"
