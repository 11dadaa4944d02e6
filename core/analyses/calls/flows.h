#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Position of one point of a flow on the timeline: row and time.
struct FlowPlace {
    TrackId row = NoTrack;
    HostTimestamp at;
};

enum class FlowRole : std::uint8_t { Begin, Step, End };

/// Identity of a flow (`key`), and the text that its arrows show (`name`).
struct FlowIdentity {
    std::uint64_t key = 0; ///< Hash of the flow's recorded category, name and id.
    StringId name{};
};

/// Connects the points of each flow by links of the kind "flow", which views draw as arrows.
class Flows {
public:
    static constexpr std::size_t MostOpen = 4'000'000; ///< Maximum number of flows in m_flows, each of which takes about 48 bytes.

    /// Ownership: `sink` must outlive the object.
    explicit Flows(StateSink& sink);

    FlowIdentity identify(std::string_view category, std::string_view name, std::string_view id);
    /// Adds a point of a flow. A Step or End is linked with the last Begin or Step of the same flow. A Begin, and a Step after an End,
    /// start another flow with the same identity and are linked with no earlier point.
    void add(const FlowIdentity& flow, FlowRole role, const FlowPlace& place);

    std::uint64_t unstarted() const { return m_unstarted; } ///< Number of End points without an earlier Begin or Step of the same flow.
    /// Number of Begin and Step points that were dropped because m_flows already has MostOpen flows.
    std::uint64_t forgotten() const { return m_forgotten; }

private:
    struct Flow {
        FlowPlace last; ///< Position of the last Begin or Step.
        bool hasEnded = false; ///< True after an End; further Ends are linked with the same `last`.
    };

    StateSink& m_sink;
    LinkKind m_kind{};
    bool m_hasKind = false;
    std::unordered_map<std::uint64_t, Flow> m_flows; ///< Flows, keyed by FlowIdentity::key.
    std::string m_key; ///< Temporary text of identify(); a member only to reuse its memory.
    std::uint64_t m_unstarted = 0;
    std::uint64_t m_forgotten = 0;
};

} // namespace helio::calls
