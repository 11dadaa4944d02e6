#include "core/correlation/guests.h"

#include <algorithm>
#include <utility>

namespace helio {

std::vector<GuestEvidence> collectGuestEvidence(const Transmissions& messages)
{
    std::vector<GuestEvidence> all;
    if (messages.kind != GuestMessages)
        return all;
    for (const Transmission& it : messages.all) {
        const bool isToHost = messages.flows[it.flow].to == "host";
        GuestEvidence seen{isToHost ? it.fromTrace : it.toTrace, isToHost ? it.toTrace : it.fromTrace, isToHost ? it.receiver : it.sender,
                           isToHost ? it.fromCpu : it.toCpu, 1};
        const auto isSame = [&](const GuestEvidence& other) {
            seen.times = other.times;
            return seen == other;
        };
        if (const auto known = std::ranges::find_if(all, isSame); known != all.end()) {
            ++known->times;
        } else {
            seen.times = 1;
            all.push_back(seen);
        }
    }
    std::ranges::stable_sort(all, [](const GuestEvidence& a, const GuestEvidence& b) {
        return std::pair(a.guestTrace, b.times) < std::pair(b.guestTrace, a.times);
    });
    return all;
}

std::vector<std::uint32_t> guestTraces(const Transmissions& messages)
{
    std::vector<std::uint32_t> traces;
    for (std::uint32_t trace = 0; messages.kind == GuestMessages && trace < messages.traces.size(); ++trace)
        if (messages.traces[trace].out > 0)
            traces.push_back(trace);
    return traces;
}

} // namespace helio
