#pragma once

#include "core/query/rows/lost_times.h"
#include "core/sql/engine/table.h"
#include "core/sql/model/counter_tracks.h"
#include "core/sql/model/recorded_connections.h"
#include "core/sql/model/recorded_stacks.h"
#include "core/sql/model/recorded_things.h"
#include "core/sql/model/samples.h"
#include "core/sql/model/scheduling.h"
#include "core/sql/model/slices.h"
#include "core/sql/model/timeline_with_rows.h"

#include <memory>
#include <span>

namespace helio::sql {

/// Source of all tables: the timeline, and the ids of its threads, CPUs, slices and counters.
struct Recording {
    std::shared_ptr<const RecordedThings> things;
    std::shared_ptr<const Scheduling> scheduling;
    std::shared_ptr<const Slices> slices;
    std::shared_ptr<const std::vector<CounterTrack>> counters;
    std::shared_ptr<const LostEventTimes> lost; ///< Times in which events were lost, of the whole recording.
    std::shared_ptr<const TimelineWithRows> complete;
    std::shared_ptr<const RecordedConnections> connections;
    std::shared_ptr<const Samples> samples;
    std::shared_ptr<const RecordedStacks> stacks;

    const Timeline& timeline() const { return things->timeline(); }
};

/// A table of each database. Each file X_table.cpp of core/sql/tables defines one as `extern const TableFactory xTable`; the build finds
/// these files.
struct TableFactory {
    const char* name;
    std::unique_ptr<Table> (*make)(const Recording& recording);
};

std::span<const TableFactory* const> tableFactories();

} // namespace helio::sql
