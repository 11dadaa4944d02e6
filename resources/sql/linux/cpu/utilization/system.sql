-- Share of the CPUs' time in which they ran a thread other than the idle one.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

CREATE PERFETTO FUNCTION cpu_utilization_per_period(interval LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT *
FROM _cpu_utilization_by_period!($interval, (SELECT run.ts, run.dur FROM sched AS run JOIN thread USING (utid) WHERE tid != 0));

CREATE PERFETTO TABLE cpu_utilization_per_second(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM cpu_utilization_per_period(1000000000);
