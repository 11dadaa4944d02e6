#include "widgets/docks/sql/sql_examples.h"

#include <QCoreApplication>

#include <array>

namespace helio {

namespace {

constexpr std::array Examples{
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "CPU time by process"), R"(-- CPU time by process
SELECT process.name, pid, count(*) AS runs, sum(dur) AS total_dur
FROM sched
JOIN thread USING (utid)
JOIN process USING (upid)
WHERE utid != 0 AND dur >= 0
GROUP BY upid
ORDER BY total_dur DESC
LIMIT 50)",
               "SELECT 1 FROM sched WHERE utid != 0 LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Longest scheduling latencies"), R"(-- Longest scheduling latencies, with the waking threads
SELECT ts, dur, thread.name, state, thread_state.utid, waker.name AS woken_by
FROM thread_state
JOIN thread USING (utid)
LEFT JOIN thread AS waker ON waker.utid = waker_utid
WHERE state IN ('R', 'R+') AND dur > 0
ORDER BY dur DESC
LIMIT 100)",
               "SELECT 1 FROM thread_state WHERE state IN ('R', 'R+') AND dur > 0 LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Longest uninterruptible waits"), R"(-- Longest uninterruptible waits, e.g. for a disk
SELECT ts, dur, thread.name, state, utid
FROM thread_state
JOIN thread USING (utid)
WHERE state = 'D' AND dur > 0
ORDER BY dur DESC
LIMIT 100)",
               "SELECT 1 FROM thread_state WHERE state = 'D' AND dur > 0 LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Slowest system calls"), R"(-- Slowest system calls
SELECT ts, dur, slice.name, thread.name AS thread, utid
FROM slice
JOIN thread_track ON thread_track.id = track_id
JOIN thread USING (utid)
WHERE slice.name GLOB 'sys_*' AND dur >= 0
ORDER BY dur DESC
LIMIT 100)",
               "SELECT 1 FROM track WHERE type = 'syscall' LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "System calls by total time"), R"(-- System calls by total time
SELECT slice.name, count(*), sum(dur), avg(dur), max(dur)
FROM slice
WHERE slice.name GLOB 'sys_*' AND dur >= 0
GROUP BY slice.name
ORDER BY sum(dur) DESC)",
               "SELECT 1 FROM track WHERE type = 'syscall' LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Functions by total time"), R"(-- Functions by total time, callees included
SELECT slice.name, count(*) AS calls, sum(dur) AS total_dur, max(dur) AS longest_dur
FROM slice
JOIN thread_track ON thread_track.id = track_id
WHERE type = 'call' AND dur >= 0
GROUP BY slice.name
ORDER BY total_dur DESC
LIMIT 200)",
               "SELECT 1 FROM track WHERE type = 'call' LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Longest slices"), R"(-- Longest slices of all kinds
SELECT ts, dur, slice.name, track.name AS track, track_id
FROM slice
JOIN track ON track.id = track_id
WHERE dur >= 0
ORDER BY dur DESC
LIMIT 100)",
               "SELECT 1 FROM slice LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Threads on each CPU"), R"(-- Threads on each CPU in the first second: show it as rows
SELECT ts, dur, cpu, thread.name, end_state, utid
FROM sched
JOIN thread USING (utid)
WHERE utid != 0 AND ts < trace_start() + 1000000000
LIMIT 20000)",
               "SELECT 1 FROM sched WHERE utid != 0 LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Events by name"), R"(-- Events by name
SELECT name, count(*) AS events
FROM event
GROUP BY name
ORDER BY events DESC)",
               "SELECT 1 FROM event LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Runnable threads over time"),
               R"(-- Runnable threads without a CPU over time: show it as a chart
SELECT ts, sum(step) OVER (ORDER BY ts) AS value
FROM (SELECT ts, 1 AS step FROM thread_state WHERE state IN ('R', 'R+') AND dur > 0
      UNION ALL
      SELECT ts + dur, -1 FROM thread_state WHERE state IN ('R', 'R+') AND dur > 0)
LIMIT 50000)",
               "SELECT 1 FROM thread_state WHERE state IN ('R', 'R+') AND dur > 0 LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Counters over time"), R"(-- Counters over time: show them as a chart
SELECT ts, value, name, track_id
FROM counters
LIMIT 50000)",
               "SELECT 1 FROM counter_track LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Wake-ups between threads"), R"(-- Wake-ups between threads, the most frequent first
SELECT waker.name AS waker, woken.name AS woken, count(*) AS wakeups
FROM link
JOIN thread AS waker ON waker.utid = from_utid
JOIN thread AS woken ON woken.utid = to_utid
WHERE kind = 'wakeup'
GROUP BY from_utid, to_utid
ORDER BY wakeups DESC
LIMIT 100)",
               "SELECT 1 FROM link WHERE kind = 'wakeup' LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Lost events"), R"(-- Lost events: states are unknown there
SELECT ts, dur, trace_id, cpu, events
FROM loss
ORDER BY ts)",
               "SELECT 1 FROM loss LIMIT 1"},
    SqlExample{QT_TRANSLATE_NOOP("SqlExamples", "Damage and losses"), R"(-- Damage and losses of the recordings
SELECT * FROM stats WHERE value > 0)",
               "SELECT 1 FROM stats WHERE value > 0 LIMIT 1"},
};

} // namespace

std::span<const SqlExample> sqlExamples() { return Examples; }

} // namespace helio
