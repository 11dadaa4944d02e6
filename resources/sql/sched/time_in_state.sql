-- Time that threads and CPUs spent in each state. States whose end is not in the recording (dur = -1) do not count.

CREATE PERFETTO TABLE sched_time_in_state_for_thread(
  utid JOINID(thread.id), total_runtime LONG, state STRING, time_in_state LONG, percentage_in_state LONG
) AS
SELECT
  utid, sum(time_in_state) OVER (PARTITION BY utid) AS total_runtime, state, time_in_state,
  time_in_state * 100 / sum(time_in_state) OVER (PARTITION BY utid) AS percentage_in_state
FROM (
  SELECT utid, state, sum(dur) AS time_in_state FROM thread_state WHERE dur > 0 GROUP BY utid, state
);

-- One row a thread; percentages are rounded down, and NULL if the thread never was in the state.
CREATE PERFETTO TABLE sched_percentage_of_time_in_state(
  utid JOINID(thread.id), running LONG, runnable LONG, runnable_preempted LONG, sleeping LONG, uninterruptible_sleep LONG, other LONG
) AS
SELECT
  utid,
  max(percentage_in_state) FILTER (WHERE state = 'Running') AS running,
  max(percentage_in_state) FILTER (WHERE state = 'R') AS runnable,
  max(percentage_in_state) FILTER (WHERE state = 'R+') AS runnable_preempted,
  max(percentage_in_state) FILTER (WHERE state = 'S') AS sleeping,
  max(percentage_in_state) FILTER (WHERE state = 'D') AS uninterruptible_sleep,
  sum(time_in_state) FILTER (WHERE state NOT IN ('Running', 'R', 'R+', 'S', 'D')) * 100 / total_runtime AS other
FROM sched_time_in_state_for_thread
GROUP BY utid;

-- States of a thread in a time range, cut at its begin and end.
CREATE PERFETTO FUNCTION _thread_states_in_interval(begin LONG, length LONG, thread LONG)
RETURNS TABLE(state STRING, io_wait BOOL, cpu LONG, blocked_function STRING, part LONG) AS
SELECT
  state, io_wait, cpu, blocked_function,
  min(ts + dur, $begin + $length) - max(ts, $begin) AS part
FROM thread_state
WHERE utid = $thread AND dur > 0 AND ts < $begin + $length AND ts + dur > $begin;

CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid JOINID(thread.id))
RETURNS TABLE(state STRING, io_wait BOOL, blocked_function STRING, dur DURATION) AS
SELECT state, io_wait, blocked_function, sum(part) AS dur
FROM _thread_states_in_interval($ts, $dur, $utid)
GROUP BY state, io_wait, blocked_function
ORDER BY sum(part) DESC;

CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid JOINID(thread.id))
RETURNS TABLE(state STRING, io_wait BOOL, cpu LONG, blocked_function STRING, dur DURATION) AS
SELECT state, io_wait, cpu, blocked_function, sum(part) AS dur
FROM _thread_states_in_interval($ts, $dur, $utid)
GROUP BY state, io_wait, cpu, blocked_function
ORDER BY sum(part) DESC;

-- Time of the runs on a CPU in a time range, by the state that the thread had afterwards.
CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(cpu LONG, ts TIMESTAMP, dur LONG)
RETURNS TABLE(end_state STRING, dur LONG) AS
SELECT end_state, sum(min(ts + dur, $ts + $dur) - max(ts, $ts)) AS dur
FROM sched
WHERE cpu = $cpu AND dur > 0 AND ts < $ts + $dur AND ts + dur > $ts
GROUP BY end_state;
