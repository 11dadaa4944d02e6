-- Number of intervals that overlap at each time.

-- Stands for a table (ts, value): from ts to the ts of the next row, `value` of the intervals overlap. An interval of length -1 has no end.
CREATE PERFETTO MACRO intervals_overlap_count(segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName)
RETURNS TableOrSubquery AS
(
  SELECT ts, sum(change) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS value
  FROM (
    SELECT ts, sum(change) AS change
    FROM (
      SELECT $ts_column AS ts, 1 AS change FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column, -1 FROM $segments WHERE $dur_column != -1
    )
    GROUP BY ts
  )
  ORDER BY ts
);

-- The same for each value of a column: a table (ts, value, group_name).
CREATE PERFETTO MACRO intervals_overlap_count_by_group(
  segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName, group_column ColumnName
)
RETURNS TableOrSubquery AS
(
  SELECT ts, sum(change) OVER (PARTITION BY group_name ORDER BY ts ROWS UNBOUNDED PRECEDING) AS value, group_name
  FROM (
    SELECT ts, group_name, sum(change) AS change
    FROM (
      SELECT $ts_column AS ts, 1 AS change, $group_column AS group_name FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column, -1, $group_column FROM $segments WHERE $dur_column != -1
    )
    GROUP BY group_name, ts
  )
  ORDER BY ts
);
