#pragma once

#include <string_view>

struct sqlite3;

namespace helio::sql {

/// Adds the virtual tables SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN, as Perfetto's trace processor has them:
///
///     CREATE VIRTUAL TABLE x USING SPAN_JOIN(a PARTITIONED utid, b PARTITIONED utid)
///
/// has a row for each range of time in which a row of `a` and a row of `b` overlap, with the columns ts, dur, the partition column and all
/// others. SPAN_LEFT_JOIN also has the ranges of `a` without a row of `b`; SPAN_OUTER_JOIN has those of both. Each table must have
/// integer columns ts and dur, and its rows must not overlap within a partition. One of the tables, or both, may have no partition. Rows
/// with dur 0 or less, and rows whose partition is NULL, are left out.
/// Memory: one row of each table. Cost: sorts both tables by partition and time.
void addSpanJoins(sqlite3* connection);

/// True if `module` is the name of a virtual table of addSpanJoins().
bool isSpanJoin(std::string_view module);

} // namespace helio::sql
