#include "core/event_model/mapped_frames.h"

#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostKnownFrames = std::size_t(1) << 20; // Maximum number of cached frames; limits the cache to 48 MiB.
constexpr std::uint64_t FunctionAlignment = 16; ///< Default alignment of functions in compiled code, in bytes.

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
    std::uint32_t& recent = m_recent[address / FunctionAlignment % m_recent.size()];
    const KnownFrame* const known = recent < m_frames.size() ? &m_frames[recent] : nullptr;
    const bool isKnown = known && known->isOf(process, address) && known->range.contains(time);
    Found found = isKnown ? known->found : find(process, address, time, recent);
    found.frame.isReturnAddress = isReturnAddress;
    return found;
}

MappedFrames::Found MappedFrames::find(const ProcessId& process, std::uint64_t address, HostTimestamp time, std::uint32_t& recent)
{
    const std::uint64_t hash = mixed(address, std::uint64_t(process.pidNamespace) << 32 | static_cast<std::uint32_t>(process.pid));
    const auto isIt = [&](std::uint32_t i) { return m_frames[i].isOf(process, address); };
    const auto known = m_byAddress.find(hash, isIt);
    recent = known.value_or(recent);
    if (known && m_frames[*known].range.contains(time))
        return m_frames[*known].found;
    const MappedFiles::ModuleAddress place = m_mapped.find(process, address, time);
    const KnownFrame now{process, address, {time, place.until}, {frameOf(place), place.program}};
    if (known) {
        m_frames[*known] = now;
    } else if (m_frames.size() < MostKnownFrames) {
        recent = m_byAddress.findOrAdd(hash, isIt);
        m_frames.push_back(now);
    }
    return now.found;
}

StackFrame MappedFrames::frameOf(const MappedFiles::ModuleAddress& place)
{
    if (place.module == UnknownModule)
        return {UnknownModule, false, place.address};
    ModuleId& own = m_modules[static_cast<std::size_t>(place.module)];
    if (own == UnknownModule)
        own = m_sink.modules().add(m_mapped.modules()[static_cast<std::size_t>(place.module)]);
    return {own, false, place.address};
}

} // namespace helio
