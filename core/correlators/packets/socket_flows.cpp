#include "core/correlators/packets/socket_flows.h"

#include <map>
#include <optional>
#include <utility>

namespace helio::packets {
namespace {

using Socket = std::array<std::uint8_t, 16>;

std::optional<Socket> socketOf(const PacketObservations& sightings, const PacketObservation& it)
{
    if (it.socket == 0 || sightings.flows.all()[it.flow].version != 0)
        return {};
    return socketAddress(sightings.sockets[it.socket - 1], it.host);
}

} // namespace

void findSocketFlows(PacketObservations& sightings, const MatchedEnds& ends)
{
    std::map<Socket, std::optional<Socket>> partners; // Empty if a socket has several partners.
    const auto addPartner = [&](const Socket& socket, const Socket& other) {
        const auto [known, isNew] = partners.try_emplace(socket, other);
        if (!isNew && known->second != other)
            known->second.reset();
    };
    std::vector<bool> isDone(sightings.all.size());
    const auto setFlow = [&](std::uint32_t place, const Socket& from, const Socket& to) {
        PacketObservation& it = sightings.all[place];
        it.flow = sightings.flows.idOf({0, sightings.flows.all()[it.flow].protocol, 0, 0, from, to});
        isDone[place] = true;
    };
    for (const MatchedEnds::Match& match : ends.matches()) {
        const auto from = socketOf(sightings, ends.at(match.out)), to = socketOf(sightings, ends.at(match.in));
        if (!from || !to)
            continue;
        addPartner(*from, *to);
        addPartner(*to, *from);
        setFlow(match.out, *from, *to);
        setFlow(match.in, *from, *to);
    }
    for (std::uint32_t place = 0; place < sightings.all.size() && !partners.empty(); ++place) {
        const PacketObservation& it = sightings.all[place];
        const auto socket = isDone[place] ? std::nullopt : socketOf(sightings, it);
        const auto known = socket ? partners.find(*socket) : partners.end();
        if (known != partners.end() && known->second)
            setFlow(place, it.isOut ? *socket : *known->second, it.isOut ? *known->second : *socket);
    }
}

} // namespace helio::packets
