#include "core/analyses/calls/flows.h"

#include <functional>

namespace helio::calls {

Flows::Flows(StateSink& sink)
    : m_sink(sink)
{
}

FlowIdentity Flows::identify(std::string_view category, std::string_view name, std::string_view id)
{
    m_key = category;
    (m_key += '\0') += name;
    (m_key += '\0') += id;
    return {std::hash<std::string>()(m_key), m_sink.string(name.empty() ? id : name)};
}

void Flows::add(const FlowIdentity& flow, FlowRole role, const FlowPlace& place)
{
    if (!m_hasKind) {
        LinkKindInfo info;
        info.id = "flow";
        info.title = "Flow";
        info.detail = "Flow";
        // "control-flow" is listed because the call stack view can show strips of thread states, and then shows the links of the view
        // control-flow.
        info.views = {"call-stack", "control-flow"};
        info.color = "arrow.packet";
        m_kind = *m_sink.linkKind(info);
        m_hasKind = true;
    }
    const auto last = m_last.find(flow.key);
    if (last != m_last.end() && role != FlowRole::Begin) {
        Link link;
        link.kind = m_kind;
        link.from = last->second.row;
        link.to = place.row;
        link.fromTime = last->second.at;
        link.toTime = place.at;
        link.detail = flow.name;
        m_sink.link(link);
    }
    if (role == FlowRole::End)
        m_unstarted += last == m_last.end() ? 1 : 0;
    else if (last != m_last.end())
        last->second = place;
    else if (m_last.size() < MostOpen)
        m_last.emplace(flow.key, place);
    else
        ++m_forgotten;
}

} // namespace helio::calls
