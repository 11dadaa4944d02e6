-- Runs of threads on CPUs with the thread and the process.
CREATE PERFETTO VIEW sched_with_thread_process(
  id ID(sched.id), ts TIMESTAMP, dur DURATION, utid JOINID(thread.id), thread_name STRING, upid JOINID(process.id), process_name STRING,
  cpu LONG, end_state STRING, priority LONG
) AS
SELECT
  run.id, run.ts, run.dur, run.utid, thread.name AS thread_name, thread.upid, process.name AS process_name, run.cpu, run.end_state,
  run.priority
FROM sched AS run
JOIN thread ON thread.utid = run.utid
LEFT JOIN process ON process.upid = thread.upid;
