-- For each time that a thread ran: when it became runnable before.
-- prev_runnable_id is the last state R or R+, and prev_wakeup_runnable_id the last one whose waker is known and was no interrupt.
CREATE PERFETTO TABLE sched_previous_runnable_on_thread(
  id JOINID(thread_state.id), prev_runnable_id JOINID(thread_state.id), prev_wakeup_runnable_id JOINID(thread_state.id)
) AS
SELECT id, prev_runnable_id, prev_wakeup_runnable_id
FROM (
  SELECT
    id, state,
    max(id) FILTER (WHERE state != 'Running') OVER so_far AS prev_runnable_id,
    max(id) FILTER (WHERE waker_utid IS NOT NULL AND ifnull(irq_context, 0) != 1) OVER so_far AS prev_wakeup_runnable_id
  FROM thread_state
  WHERE state IN ('Running', 'R', 'R+') AND dur != -1
  WINDOW so_far AS (PARTITION BY utid ORDER BY id)
)
WHERE state = 'Running'
ORDER BY id;
