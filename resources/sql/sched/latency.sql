-- How long a thread waited for a CPU before each of its runs.
INCLUDE PERFETTO MODULE sched.runnable;

CREATE PERFETTO TABLE sched_latency_for_running_interval(
  thread_state_id JOINID(thread_state.id), sched_id JOINID(sched.id), utid JOINID(thread.id),
  runnable_latency_id JOINID(thread_state.id), latency_dur LONG
) AS
SELECT
  previous.id AS thread_state_id, run.id AS sched_id, state.utid, previous.prev_runnable_id AS runnable_latency_id,
  runnable.dur AS latency_dur
FROM sched_previous_runnable_on_thread AS previous
JOIN thread_state AS state ON state.id = previous.id
JOIN thread_state AS runnable ON runnable.id = previous.prev_runnable_id
JOIN sched AS run ON run.ts = state.ts AND run.utid = state.utid;
