-- Names of the states of threads.

-- Returns the name of a state in words; the state itself if it has no other name.
CREATE PERFETTO FUNCTION sched_state_to_human_readable_string(short_name STRING)
RETURNS STRING AS
WITH names(short, long) AS (
  VALUES
    ('R', 'Runnable'), ('R+', 'Runnable (Preempted)'), ('S', 'Sleeping'), ('D', 'Uninterruptible Sleep'), ('T', 'Stopped'),
    ('t', 'Traced'), ('X', 'Exit (Dead)'), ('x', 'Task Dead'), ('Z', 'Exit (Zombie)'), ('I', 'Idle'), ('K', 'Wakekill'),
    ('W', 'Waking'), ('P', 'Parked'), ('N', 'No Load')
)
SELECT ifnull((SELECT long FROM names WHERE short = $short_name), $short_name);

-- Returns the name of a state, and whether the thread waited for input or output where that is known.
CREATE PERFETTO FUNCTION sched_state_io_to_human_readable_string(sched_state STRING, io_wait BOOL)
RETURNS STRING AS
SELECT
  ifnull(sched_state_to_human_readable_string($sched_state), '')
  || iif($io_wait IS NULL, '', iif($io_wait, ' (IO)', ' (non-IO)'));
