#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/thread_fields.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio::memory {

constexpr std::string_view View = "resident-memory";

/// Memory of processes in RAM and in swap, from the kernel's event kmem:rss_stat (Linux 5.5 and later; perf record -e kmem:rss_stat).
///
/// Each event gives the new size of one type of pages (files, anonymous, swap, shared) of one address space (mm_id). Counters of the view
/// resident-memory: `mm:ID/anonymous` etc. An address space is named after a thread that changed its own address space (field curr);
/// without such an event, it is named by its number. A size is valid until the next event; changes in gaps of lost events are unknown.
class ResidentMemory final : public Analysis {
public:
    ResidentMemory(const Trace& trace, StateSink& sink);

    static bool hasSizes(const Trace& trace);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_fields[static_cast<std::size_t>(type)].isKnown(); }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp at) override;

private:
    static constexpr std::size_t Sorts = 4;
    struct Fields {
        FieldRef space, isOwn, sort, size;
        ThreadFields thread;
        bool isKnown() const { return space.isValid() && sort.isValid() && size.isValid(); }
    };
    struct Space {
        TrackId row = NoTrack;
        std::int32_t pid = -1; ///< PID of the process; -1 if unknown.
        std::string name; ///< Name of the process from the events' contexts; empty if not recorded.
        std::array<std::optional<CounterSeriesId>, Sorts> series;
    };
    void take(const EventView& event, const Fields& fields);
    void setOwner(Space& space, const ThreadFields& thread, const EventView& event);
    void nameSpaces();
    Space& spaceOf(std::int64_t id);
    void addSeries(Space& space, std::size_t sort);

    const Trace& m_trace;
    StateSink& m_sink;
    std::vector<Fields> m_fields; ///< Fields of the event types, indexed by EventTypeId.
    std::map<std::int64_t, Space> m_spaces;
};

} // namespace helio::memory
