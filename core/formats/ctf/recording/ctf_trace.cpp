#include "core/formats/ctf/recording/ctf_trace.h"

#include "core/formats/ctf/recording/ctf_stream.h"

#include <algorithm>

namespace helio::ctf {

std::string shortName(const std::filesystem::path& path)
{
    std::vector<std::string> names;
    for (const auto& part : path.lexically_normal())
        if (!part.empty() && part != "/")
            names.push_back(part.string());
    if (!names.empty() && names.back() == "archives")
        names.pop_back();
    const auto fromEnd = [&](std::size_t i) { return names.size() > i ? names[names.size() - 1 - i] : std::string(); };
    if (fromEnd(0) == "kernel" && !fromEnd(1).empty())
        return fromEnd(1) + "/kernel";
    if (fromEnd(3) == "ust" && fromEnd(2) == "uid" && !fromEnd(4).empty())
        return fromEnd(4) + "/ust";
    if (fromEnd(2) == "ust" && fromEnd(1) == "pid" && !fromEnd(3).empty())
        return fromEnd(3) + "/" + fromEnd(0);
    return fromEnd(0);
}

std::string findHostname(const TraceInfo& info)
{
    const std::string name = info.text("hostname");
    return name.empty() ? info.text("host") : name;
}

ClockInfo makeNoClockInfo()
{
    ClockInfo info;
    info.name = "none";
    info.description = "its events have no times and are in the order of their streams";
    info.frequency = 0;
    return info;
}

bool CtfTrace::hasChanged() const
{
    return std::ranges::any_of(m_data, [](const StreamData& data) {
        return std::ranges::any_of(data.files, [](const auto& file) { return file->hasChanged(); });
    });
}

std::unique_ptr<EventStream> CtfTrace::openStream(std::uint32_t stream, StreamPosition from) const
{
    return std::make_unique<CtfEventStream>(m_streams[stream], m_data[stream], stream, from, m_streams.size());
}

} // namespace helio::ctf
