#include "core/sql/tables/views.h"

namespace helio::sql {

std::string_view viewStatements()
{
    return R"sql(
CREATE VIEW sched AS
SELECT *, ts + dur AS ts_end FROM sched_slice;

CREATE VIEW slices AS
SELECT * FROM slice;

CREATE VIEW track AS
SELECT id, name, type, NULL AS dimension_arg_set_id, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, NULL AS track_group_id
FROM recorded_track;

CREATE VIEW thread_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, utid
FROM recorded_track WHERE is_counter = 0 AND utid IS NOT NULL;

CREATE VIEW process_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, upid
FROM recorded_track WHERE is_counter = 0 AND upid IS NOT NULL;

CREATE VIEW cpu_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, cpu
FROM recorded_track WHERE is_counter = 0 AND cpu IS NOT NULL;

CREATE VIEW counter_track AS
SELECT id, name, NULL AS parent_id, type, NULL AS dimension_arg_set_id, NULL AS source_arg_set_id, machine_id, unit, NULL AS description
FROM recorded_track WHERE is_counter = 1;

CREATE VIEW cpu_counter_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, unit, NULL AS description, cpu
FROM recorded_track WHERE is_counter = 1 AND cpu IS NOT NULL;

CREATE VIEW thread_counter_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, unit, NULL AS description, utid
FROM recorded_track WHERE is_counter = 1 AND utid IS NOT NULL;

CREATE VIEW process_counter_track AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, machine_id, unit, NULL AS description, upid
FROM recorded_track WHERE is_counter = 1 AND upid IS NOT NULL;

CREATE VIEW counters AS
SELECT counter.*, counter_track.name, counter_track.unit
FROM counter JOIN counter_track ON counter.track_id = counter_track.id;

CREATE VIEW ftrace_event AS
SELECT id, ts, name, cpu, utid, arg_set_id, NULL AS common_flags, cpu AS ucpu
FROM event;

CREATE VIEW raw AS
SELECT * FROM ftrace_event;

CREATE VIEW stack_sample AS
SELECT sample.id, ts, source, utid, upid, NULL AS async_name, NULL AS async_kind, cpu AS ucpu, cpu_mode, callsite_id, session_id
FROM sample LEFT JOIN thread USING (utid)
WHERE role = 'recorded' AND callsite_id IS NOT NULL;

CREATE VIEW perf_sample AS
SELECT id, ts, utid, cpu, coalesce(cpu_mode, 'unknown') AS cpu_mode, callsite_id, unwind_error, session_id AS perf_session_id
FROM sample WHERE source = 'linux.perf' AND role = 'recorded';

CREATE VIEW perf_session AS
SELECT id, id AS perf_session_id, cmdline
FROM stack_sample_session WHERE source = 'linux.perf';

CREATE VIEW cpu_profile_stack_sample AS
SELECT id, ts, callsite_id, utid, NULL AS process_priority
FROM sample WHERE role = 'recorded' AND source != 'linux.perf';

CREATE VIEW instant AS
SELECT ts, track_id, name, arg_set_id FROM slice WHERE dur = 0;
)sql";
}

} // namespace helio::sql
