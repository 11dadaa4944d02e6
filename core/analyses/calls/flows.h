#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Row and time of a point of a flow.
struct FlowPlace {
    TrackId row = NoTrack;
    HostTimestamp at;
};

enum class FlowRole : std::uint8_t { Begin, Step, End };

/// Identity of a flow, and the name that its arrows show.
struct FlowIdentity {
    std::uint64_t key = 0; ///< Hash of category, name and id.
    StringId name{};
};

/// Connects the points of flows by links of the kind "flow".
class Flows {
public:
    static constexpr std::size_t MostOpen = 4'000'000; ///< Limit of the flows that are remembered, with 40 bytes each.

    /// Ownership: the sink must outlive the object.
    explicit Flows(StateSink& sink);

    FlowIdentity identify(std::string_view category, std::string_view name, std::string_view id);
    /// Adds a point of a flow: links it with the last Begin or Step of the flow, unless it is a Begin.
    void add(const FlowIdentity& flow, FlowRole role, const FlowPlace& place);

    std::uint64_t unstarted() const { return m_unstarted; } ///< Number of ends of flows without a begin or step.
    std::uint64_t forgotten() const { return m_forgotten; } ///< Number of points that were dropped because of MostOpen.

private:
    StateSink& m_sink;
    LinkKind m_kind{};
    bool m_hasKind = false;
    std::unordered_map<std::uint64_t, FlowPlace> m_last; ///< Last Begin or Step of each flow.
    std::string m_key; ///< A member to reuse its memory.
    std::uint64_t m_unstarted = 0;
    std::uint64_t m_forgotten = 0;
};

} // namespace helio::calls
