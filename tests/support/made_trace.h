#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <vector>

namespace helio {

/// A trace without events, for timelines that a test builds; also the base class of traces that a test implements.
class MadeTrace : public Trace {
public:
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return nullptr; }
    std::span<const Diagnostic> diagnostics() const override { return {}; }

protected:
    TraceInfo m_info;
    EventTypes m_types;
    std::vector<StreamInfo> m_streams;
};

} // namespace helio
