-- How long a thread waited for a CPU before each of its runs.
INCLUDE PERFETTO MODULE sched.runnable;

CREATE PERFETTO TABLE sched_latency_for_running_interval(
  thread_state_id JOINID(thread_state.id), sched_id JOINID(sched.id), utid JOINID(thread.id),
  runnable_latency_id JOINID(thread_state.id), latency_dur LONG
) AS
WITH
  -- Looking each of them up by its id would take much longer.
  states AS MATERIALIZED (SELECT id, ts, dur, utid FROM thread_state WHERE state IN ('Running', 'R', 'R+')),
  runs AS MATERIALIZED (SELECT id, ts, utid FROM sched)
SELECT
  previous.id AS thread_state_id, run.id AS sched_id, state.utid, previous.prev_runnable_id AS runnable_latency_id,
  runnable.dur AS latency_dur
FROM sched_previous_runnable_on_thread AS previous
JOIN states AS state ON state.id = previous.id
JOIN states AS runnable ON runnable.id = previous.prev_runnable_id
JOIN runs AS run ON run.utid = state.utid AND run.ts = state.ts;
