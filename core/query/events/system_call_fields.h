#pragma once

#include "core/query/events/nearby_events.h"
#include "core/query/rows/rows.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Reads the events at the begins and ends of system calls.
/// Threads: to be used by one thread, any but the UI thread.
/// Memory: up to 8,192 decoded events.
class SystemCallReader {
public:
    explicit SystemCallReader(const std::shared_ptr<const Timeline>& timeline)
        : m_entries(timeline)
        , m_exits(timeline)
    {
    }

    /// Fields of the two events; empty if the event was not recorded.
    struct Events {
        std::vector<NamedValue> entry;
        std::vector<NamedValue> exit;
    };
    /// Returns the fields of a system call of a thread. `range` is the range of the thread's state in the call, `call` is the name of the
    /// call.
    /// Cost: decodes up to 128 events of the trace; few events for each of many calls in time order.
    Events read(const Row& thread, TimeRange range, std::string_view call, const std::stop_token& stop = {});

private:
    NearbyEvents m_entries;
    NearbyEvents m_exits;
};

/// Fields of the events at the begin and at the end of a system call, as texts; empty if not recorded.
struct SystemCallFields {
    std::string arguments; ///< E.g. "fd=3, buf=0x1, count=8"; arguments that the recording contains as a single text are not split.
    std::string result; ///< Result, e.g. "-1 ENOENT".
    std::string stack; ///< Call stack, if the recording has one for each call.
};

/// Returns the fields of a system call of a thread. `range` is the range of the thread's state in the call, `call` is the name of the call.
/// Threads: any but the UI thread.
/// Cost: decodes up to 128 events of the trace.
SystemCallFields readSystemCall(const std::shared_ptr<const Timeline>& timeline, const Row& thread, TimeRange range, std::string_view call,
                                const std::stop_token& stop = {});

/// True if a state with this kind and a value is a system call, whose name is the value.
bool isSystemCall(const StateKind& state);

} // namespace helio
