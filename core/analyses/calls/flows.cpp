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
    const auto found = m_flows.find(flow.key);
    const bool isKnown = found != m_flows.end();
    if (isKnown && (role == FlowRole::End || (role == FlowRole::Step && !found->second.hasEnded))) {
        Link link;
        link.kind = m_kind;
        link.from = found->second.last.row;
        link.to = place.row;
        link.fromTime = found->second.last.at;
        link.toTime = place.at;
        link.detail = flow.name;
        m_sink.link(link);
    }
    if (role == FlowRole::End && isKnown)
        found->second.hasEnded = true;
    else if (role == FlowRole::End)
        ++m_unstarted;
    else if (isKnown)
        found->second = {place, false};
    else if (m_flows.size() < MostOpen)
        m_flows.emplace(flow.key, Flow{place, false});
    else
        ++m_forgotten;
}

} // namespace helio::calls
