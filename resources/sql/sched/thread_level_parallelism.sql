-- Number of threads that run, or could run, at each time. A row is valid until the time of the next row.
INCLUDE PERFETTO MODULE intervals.overlap;

CREATE PERFETTO TABLE sched_runnable_thread_count(ts TIMESTAMP, runnable_thread_count LONG) AS
SELECT ts, value AS runnable_thread_count
FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'R'), ts, dur)
ORDER BY ts;

CREATE PERFETTO TABLE sched_uninterruptible_sleep_thread_count(ts TIMESTAMP, uninterruptible_sleep_thread_count LONG) AS
SELECT ts, value AS uninterruptible_sleep_thread_count
FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'D'), ts, dur)
ORDER BY ts;

-- CPUs that run a thread other than the idle one, whose number is 0.
CREATE PERFETTO TABLE sched_active_cpu_count(ts TIMESTAMP, active_cpu_count LONG) AS
SELECT ts, value AS active_cpu_count
FROM intervals_overlap_count!((SELECT run.ts, run.dur FROM sched AS run JOIN thread USING (utid) WHERE tid != 0), ts, dur)
ORDER BY ts;
