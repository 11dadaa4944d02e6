#include "core/trace/recorded_cpus.h"

#include "core/trace/trace.h"

#include <cstdint>
#include <set>

namespace helio {

std::size_t countRecordedCpus(const Trace& trace)
{
    std::set<std::int32_t> cpus;
    for (const StreamInfo& stream : trace.streams()) {
        cpus.insert(stream.cpu);
        for (const PacketInfo& packet : stream.packets)
            cpus.insert(packet.cpu);
    }
    cpus.erase(-1);
    return cpus.size();
}

} // namespace helio
