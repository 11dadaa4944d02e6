#pragma once

#include "core/query/rows/rows.h"
#include "core/query/rows/sampled_use.h"
#include "core/store/store.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// What a thread did in a range, as a whole.
struct ThreadLife {
    struct State {
        StateKind kind;
        std::uint64_t count = 0;
        Duration total{};
    };
    struct OnCpu {
        std::int32_t cpu = -1;
        std::uint64_t stretches = 0;
        Duration total{};
    };
    Row row;
    std::optional<Row> parent; ///< What the row hangs below: its process, or what started that.
    std::vector<State> states; ///< Longest first. Exact.
    std::vector<OnCpu> cpus; ///< That it ran on, longest first. Exact; only where switches were recorded.
    std::uint64_t migrations = 0; ///< How often it went on on another CPU than before.
    SampledUse sampled; ///< What samples say, where its states were not recorded.
    std::uint64_t events = 0; ///< Of it in user-space traces.
};

/// Nothing where the track is no thread's row. Threads: any but the UI's. Less after `stop`. Cost: about 20 ns for each switch on any CPU
/// of its trace in the range.
std::optional<ThreadLife> threadLife(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {});

/// Which ends of a thread's row were recorded, and are not just those of the trace: they lie within it, or records beside the events
/// say that the thread began to execute its program, or ended.
struct RecordedEnds {
    bool begin = false;
    bool end = false;
};
RecordedEnds recordedEnds(const Timeline& timeline, TrackRef thread);

} // namespace helio
