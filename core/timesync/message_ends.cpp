#include "core/timesync/message_ends.h"

#include "core/correlation/transmissions.h"
#include "core/query/rows/state_causes.h"

namespace helio {
namespace {

MessageEnd endOf(const Timeline& timeline, std::uint32_t trace, HostTimestamp at, std::int32_t tid, std::int32_t cpu)
{
    MessageEnd end{timeline.traces[trace].host, timeline.traces[trace].clock(at)};
    if (tid > 0)
        end.row = threadRow(timeline, trace, tid, end.at);
    if (!end.row.isValid() && cpu >= 0)
        end.row = cpuRow(timeline, trace, cpu);
    return end;
}

} // namespace

MessageEnds endsOf(const Timeline& timeline, std::size_t relation, std::uint32_t message)
{
    const Transmissions& messages = *timeline.relations[relation]->messages;
    const Transmission& it = messages.all[message];
    return {endOf(timeline, it.fromTrace, it.sent, it.sender, it.fromCpu), endOf(timeline, it.toTrace, it.received, it.receiver, it.toCpu),
            textOf(messages, it)};
}

} // namespace helio
