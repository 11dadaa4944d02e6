-- Share of the CPUs' time by period. A period begins at a multiple of its length; the first and the last one may lie partly outside of the
-- recording, so that their shares are smaller.

-- Stands for a table (ts, utilization, unnormalized_utilization) of the runs in `runs`, which has the columns ts and dur. Runs without an end
-- last until the end of the recording. Each period gets the part of a run that lies in it.
CREATE PERFETTO MACRO _cpu_utilization_by_period(interval Expr, runs TableOrSubquery)
RETURNS TableOrSubquery AS
(
  WITH RECURSIVE
    parts(ts, part_end, run_end) AS (
      SELECT ts, min(run_end, (ts / $interval + 1) * $interval), run_end
      FROM (SELECT ts, iif(dur = -1, trace_end(), ts + dur) AS run_end FROM $runs)
      WHERE $interval > 0
      UNION ALL
      SELECT part_end, min(run_end, part_end + $interval), run_end FROM parts WHERE part_end < run_end
    )
  SELECT
    ts / $interval * $interval AS ts,
    sum(part_end - ts) / (CAST($interval AS REAL) * (SELECT count(*) FROM cpu)) AS utilization,
    sum(part_end - ts) / CAST($interval AS REAL) AS unnormalized_utilization
  FROM parts
  GROUP BY 1
);
