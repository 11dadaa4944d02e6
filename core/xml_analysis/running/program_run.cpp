#include "core/xml_analysis/running/program_run.h"

namespace helio::xml {

void ProviderRun::onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads)
{
    m_runner.begin(event, type, threads);
    for (const std::uint32_t index : type.handlers) {
        if (m_runner.effort().isEnough())
            return;
        const EventHandler& handler = m_program.handlers[index];
        m_place = handler.place;
        RuleStatistics& count = m_counts[index];
        m_runner.countFor(count);
        bool hasFired = false;
        for (const ChangeIndex change : handler.changes)
            hasFired |= m_runner.change(change, nullptr);
        ++count.events;
        if (hasFired)
            count.fire(event.time());
    }
}

} // namespace helio::xml
