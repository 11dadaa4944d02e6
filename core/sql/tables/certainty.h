#pragma once

#include "core/sql/engine/table.h"
#include "core/sql/tables/table_factory.h"

#include <cstdint>
#include <optional>

namespace helio::sql {

/// Column of tables of intervals: 0 if events were lost during an interval or directly before or after it, so that its begin, end or
/// contents may be wrong; else 1. Hidden, because the documented tables do not have it.
constexpr Column CertainColumn{"certain", ColumnType::Integer, Search::None, false, ColumnRole::Hidden};

/// Writes CertainColumn for an interval on a CPU of a host, or, if `cpu` is negative, of a thread, which events on any CPU may concern.
/// `end` is nullopt for an interval that lasts to the end of the recording.
void writeCertain(const Recording& recording, HostId host, std::int32_t cpu, Timestamp begin, std::optional<Timestamp> end, ValueSink sink);

/// Returns the CPU for writeCertain() of an interval on a row: -1 for rows of threads and for rows without a CPU.
std::int32_t cpuOfRow(const Timeline& timeline, TrackRef row);

} // namespace helio::sql
