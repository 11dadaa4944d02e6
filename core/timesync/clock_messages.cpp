#include "core/timesync/clock_messages.h"

#include "core/timesync/host_clocks.h"

namespace helio {

std::vector<Message> clockMessages(const Timeline& timeline)
{
    std::vector<Message> all;
    if (timeline.hosts.size() < 2 || !timeline.appliesClocks)
        return all;
    for (const HostClockFacts& clock : hostClocks(timeline)) {
        const bool isDoubtful = clock.quality == FitQuality::Failed || clock.outliers > 0 || timeline.hosts[clock.host].early.areMany();
        Message message;
        message.severity = isDoubtful ? Diagnostic::Severity::Warning : Diagnostic::Severity::Info;
        message.kind = "host-clock";
        message.text = "Clock of " + sentenceOf(timeline, clock) + '.';
        all.push_back(std::move(message));
    }
    return all;
}

} // namespace helio
