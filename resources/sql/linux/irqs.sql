-- Interrupts as slices.
CREATE PERFETTO VIEW linux_hard_irqs(ts TIMESTAMP, dur DURATION, name STRING, id JOINID(slice.id), parent_id JOINID(slice.id)) AS
SELECT slice.ts, slice.dur, slice.name, slice.id, slice.parent_id
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.type = 'irq';

CREATE PERFETTO VIEW linux_soft_irqs(ts TIMESTAMP, dur DURATION, name STRING, id JOINID(slice.id)) AS
SELECT slice.ts, slice.dur, slice.name, slice.id
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.type = 'softirq';

CREATE PERFETTO VIEW linux_irqs(
  ts TIMESTAMP, dur DURATION, name STRING, id JOINID(slice.id), parent_id JOINID(slice.id), is_soft_irq BOOL
) AS
SELECT ts, dur, name, id, parent_id, 0 AS is_soft_irq FROM linux_hard_irqs
UNION ALL
SELECT ts, dur, name, id, NULL, 1 FROM linux_soft_irqs;
