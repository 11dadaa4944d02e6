#pragma once

#include "core/export/export_file.h"
#include "core/export/recording/recording_walk.h"
#include "core/export/recording/slice_lanes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio {

class JsonWriter;

/// Writes threads, slices, counters, flows and states of rows as events of Chrome's JSON format.
///
/// Slices of a thread that nest are complete events (phase X) of the thread. Slices that overlap without nesting, and slices that belong to
/// no thread, are asynchronous events (phases b and e), which have no flows.
class ChromeEvents final : public RecordingVisitor {
public:
    /// Ownership: `walk` and `file` must outlive the object.
    ChromeEvents(const RecordingWalk& walk, ExportFile& file)
        : m_walk(walk)
        , m_file(file)
    {
    }

    /// Writes the names of the selected processes and threads.
    void writeThings();
    /// Writes the ends of all slices that have one.
    void finish() { closeBefore(INT64_MAX); }

    void slice(const WalkedSlice& slice) override;
    void point(const WalkedPoint& point) override;
    void state(const WalkedState& state) override;
    bool partEnded(std::int64_t end) override;

private:
    /// Asynchronous slices of a track or a row.
    struct Operations {
        std::int32_t pid = 0;
        std::string category;
        SliceLanes lanes{};
        std::vector<std::vector<std::string>> names{}; ///< Names of the open slices of each lane.
        std::uint64_t id = 0;
    };

    template <typename Members> void write(char phase, std::string_view name, const Members& members);
    void writeOperation(char phase, const Operations& operations, std::size_t lane, std::string_view name, std::int64_t ts,
                        const std::vector<WalkedArgument>& arguments);
    void addOperation(Operations& operations, std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth, const std::string& name,
                      const std::vector<WalkedArgument>& arguments);
    void closeOperation(Operations& operations, std::size_t lane, std::int64_t time);
    void closeBefore(std::int64_t end);
    void writeFlow(char phase, std::uint64_t id, const WalkedThread& thread, std::int64_t ts);
    void writeFlows(const WalkedSlice& slice, const WalkedThread& thread);
    Operations& operationsAt(std::map<std::size_t, Operations>& map, std::size_t index, std::int32_t pid, const std::string& category);

    const RecordingWalk& m_walk;
    ExportFile& m_file;
    std::map<std::int64_t, SliceLanes> m_threads; ///< Slices of each thread, by utid.
    std::map<std::size_t, Operations> m_tracks; ///< Asynchronous slices by index of the track.
    std::map<std::size_t, Operations> m_rows; ///< States by index of the row.
    std::unordered_set<std::uint64_t> m_leftFlows; ///< Flows whose begin is written, but not their end.
    std::unordered_map<std::uint64_t, std::int64_t> m_enteredFlows; ///< utids at which flows end whose begin is not written yet.
    std::string m_event;
    std::uint64_t m_lastId = 0;
    bool m_isBegun = false; ///< True after the first event.
};

} // namespace helio
