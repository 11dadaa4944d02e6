#include "core/analysis/mapped_frames.h"

#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostKnownFrames = std::size_t(1) << 20; // 48 MiB.

} // namespace

MappedFrames::MappedFrames(std::shared_ptr<const Store> mapped, StateSink& sink)
    : m_store(std::move(mapped))
    , m_mapped(m_store ? MappedFiles(*m_store) : MappedFiles())
    , m_sink(sink)
    , m_modules(m_mapped.modules().size())
{
}

MappedFrames::Found MappedFrames::at(const ProcessId& process, std::uint64_t address, HostTimestamp time, bool isReturnAddress)
{
    const std::uint64_t hash = mixed(address, std::uint64_t(process.pidNamespace) << 32 | static_cast<std::uint32_t>(process.pid));
    const auto isIt = [&](std::uint32_t i) { return m_frames[i].address == address && m_frames[i].process == process; };
    const auto known = m_byAddress.find(hash, isIt);
    KnownFrame* const kept = known ? &m_frames[*known] : nullptr;
    Found found;
    if (kept && kept->range.contains(time)) {
        found = kept->found;
    } else {
        const MappedFiles::Place place = m_mapped.find(process, address, time);
        found = {frameOf(place), place.program};
        const KnownFrame now{process, address, {time, place.until}, found};
        if (kept) {
            *kept = now;
        } else if (m_frames.size() < MostKnownFrames) {
            m_byAddress.findOrAdd(hash, isIt);
            m_frames.push_back(now);
        }
    }
    found.frame.isReturnAddress = isReturnAddress;
    return found;
}

StackFrame MappedFrames::frameOf(const MappedFiles::Place& place)
{
    if (place.module == UnknownModule)
        return {UnknownModule, false, place.address};
    ModuleId& own = m_modules[static_cast<std::size_t>(place.module)];
    if (own == UnknownModule)
        own = m_sink.modules().add(m_mapped.modules()[static_cast<std::size_t>(place.module)]);
    return {own, false, place.address};
}

} // namespace helio
