-- Time ranges in which counters have a value.

-- Stands for a table (id, ts, dur, track_id, value, next_value, delta_value) with a row for each row of `counter_table`, which has the columns
-- id, ts, track_id and value. A value holds until the next one on its track; the last one holds until the end of the recording.
CREATE PERFETTO MACRO counter_leading_intervals(counter_table TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT
    id, ts, ifnull(lead(ts) OVER on_track, trace_end()) - ts AS dur, track_id, value, lead(value) OVER on_track AS next_value,
    value - lag(value) OVER on_track AS delta_value
  FROM $counter_table
  WINDOW on_track AS (PARTITION BY track_id ORDER BY ts, id)
);
