#include "app/gui/fleet/fleet_sql_examples.h"

#include <QCoreApplication>

#include <array>

namespace helio {

namespace {

constexpr std::array Examples{
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Worst findings"), R"(-- Traces with the worst findings
SELECT host, round(share * 100, 1) AS percent, text, trace_id
FROM worst_finding
ORDER BY share DESC
LIMIT 100)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Problems by number of hosts"),
                    R"(-- Problems by the number of hosts that have them
SELECT finder, subject, count(DISTINCT host) AS hosts,
       sum(explained_ns) / 1e9 AS seconds
FROM finding
GROUP BY finder, subject
ORDER BY hosts DESC)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Scheduling latency by day"), R"(-- Scheduling latency, day by day
SELECT date(begin_ns / 1000000000, 'unixepoch') AS day,
       count(*) AS traces,
       digest_percentile(digest_merge(histogram), 99) AS p99_ns
FROM digest JOIN trace ON trace.id = trace_id
WHERE kind = 'wakeup' AND name = ''
GROUP BY day
ORDER BY day)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Latencies of the fleet"), R"(-- Latencies of all traces together
SELECT kind, name, traces, count, p50_ns, p99_ns, max_ns
FROM fleet_latency
ORDER BY total_ns DESC)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Hosts with slow reads"),
                    R"(-- Hosts whose reads are slower than those of the fleet
SELECT host, digest_percentile(digest_merge(histogram), 99) AS p99_ns,
       (SELECT p99_highest_ns FROM fleet_latency
        WHERE kind = 'syscall' AND name = 'read') AS fleet_p99_ns
FROM digest JOIN trace ON trace.id = trace_id
WHERE kind = 'syscall' AND name = 'read'
GROUP BY host
HAVING p99_ns > fleet_p99_ns
ORDER BY p99_ns DESC)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Traces with lost events"),
                    R"(-- Traces with lost events: their numbers are lower bounds
SELECT host, lost_events, gaps, path, id
FROM trace
WHERE lost_events > 0 OR gaps > 0
ORDER BY lost_events DESC)"},
    FleetSqlExample{QT_TRANSLATE_NOOP("FleetSqlExamples", "Traces that could not be read"), R"(-- Traces that could not be read
SELECT machine, path, error
FROM trace
WHERE error IS NOT NULL)"},
};

} // namespace

std::span<const FleetSqlExample> fleetSqlExamples() { return Examples; }

} // namespace helio
