#pragma once

// Formats critical paths of threads in synthetic kernel traces as text.

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"
#include "tests/core/correlators/machines/made_machines.h"

#include <string>

namespace helio::test {

/// Returns the thread's row in a trace of the host or of its guest.
inline TrackRef threadOf(const Timeline& timeline, int tid, std::uint32_t trace = 0)
{
    for (const Row& row : threads(timeline))
        if (row.tid == tid && row.trace == trace)
            return row.ref;
    return {};
}

/// Returns the path's segments as text, one per line: "running 7 on 0 5-10 (user)". Segments that explain a wait are indented. The
/// sentences of path.limits follow the segments. The text contains "broken" where segments do not touch or do not fill `range`.
inline std::string textOf(const Timeline& timeline, const CriticalPath& path, TimeRange range)
{
    std::string text;
    Timestamp known = range.begin;
    for (const PathSegment& it : path.segments) {
        if (it.range.begin != known || it.range.isEmpty())
            text += "broken\n";
        known = it.range.end;
        text += std::string(2 * it.depth, ' ') + std::string(wordOf(it.kind)) + ' '
            + std::to_string(rowOf(timeline, it.row).value_or(Row()).tid) + (it.cpu == NoCpu ? "" : " on " + std::to_string(it.cpu)) + ' '
            + std::to_string(nanoseconds(it.range.begin)) + '-' + std::to_string(nanoseconds(it.range.end))
            + (path.detailOf(it).empty() ? "" : " (" + path.detailOf(it) + ')') + '\n';
    }
    if (known != range.end)
        text += "broken\n";
    for (const std::string& it : path.limits)
        text += it + '\n';
    return text;
}

inline std::string pathOf(const Timeline& timeline, int tid, std::int64_t begin, std::int64_t end, std::uint32_t trace = 0,
                          const PathLimits& limits = {})
{
    const TimeRange range{timestamp(begin), timestamp(end)};
    return textOf(timeline, criticalPath(timeline, threadOf(timeline, tid, trace), range, {}, limits), range);
}

} // namespace helio::test
