#pragma once

#include "core/network/connections.h"
#include "core/store/track_ref.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

/// Outcome of a packet's transit, as far as the traces show it.
enum class PacketFate : std::uint8_t {
    Arrived, ///< The departure and the arrival were recorded.
    Lost, ///< Only the departure was recorded, although the receiver's host recorded its arriving packets at that time.
    Ambiguous, ///< Several identical packets left or arrived, so their departures and arrivals cannot be matched.
    /// Only the departure was recorded: the receiver's host is not among the traces, or did not record its arriving packets then.
    NotRecorded,
    DepartureUnknown, ///< Only the arrival was recorded.
};

/// Returns the fate in words: "arrived", "lost", "ambiguous", "not recorded" or "not seen to leave".
std::string_view wordOf(PacketFate fate);

/// One packet of a connection, on the experiment's clock.
struct ConnectionPacket {
    std::optional<Timestamp> sent; ///< Time of the packet's departure; nullopt if it was not recorded.
    std::optional<Timestamp> received; ///< Time of the arrival of the packet's last part; nullopt if it was not recorded.
    TrackRef from; ///< Row of the thread that sent the packet; not valid if unknown.
    TrackRef to; ///< Row of the thread that the packet woke; not valid if unknown.
    /// Index of the matched message in Transmissions::all; nullopt if one end of the transit is unknown.
    std::optional<std::uint32_t> message;
    PacketFate fate = PacketFate::Arrived;
    bool isReverse = false; ///< True if ConnectionFacts::to sent the packet; false if ConnectionFacts::from did.
    bool isRetransmission = false; ///< True for a retransmission: the packet carries no new byte.
    /// True for TCP packets and packets of unknown protocol: `sequence`, `acknowledgement` and `flags` are recorded.
    bool hasSequence = false;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint16_t flags = 0;
    std::uint32_t length = 0; ///< Length of the packet in bytes, with headers; 0 if it was not recorded.
    std::uint32_t payload = 0; ///< Length of the packet's payload in bytes.
    Duration error{}; ///< Error bound of latency(), from the clocks of the two hosts; Duration::max() if unknown.
    std::string text; ///< Description, for example "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100 retransmission".

    /// Returns the time of the departure, or of the arrival if the departure was not recorded.
    Timestamp at() const { return sent ? *sent : *received; }
    TrackRef row() const { return sent && from.isValid() ? from : to; }
    /// Returns the duration of the transit by the synchronized clocks; it may be negative. nullopt if one end is unknown.
    std::optional<Duration> latency() const { return sent && received ? std::optional(*received - *sent) : std::nullopt; }
};

/// Finds the packets of the connections of one correlation.
/// Threads: to be used by one thread.
/// Ownership: the timeline outlives the object.
/// Memory: 8 bytes for each packet and each message of the experiment.
class ConnectionPackets {
public:
    /// `relation` is an index into Timeline::relations.
    /// Cost: about 20 ns for each packet of the experiment.
    ConnectionPackets(const Timeline& timeline, std::uint32_t relation);
    ~ConnectionPackets();

    /// Returns the packets of one connection in the order of at(); empty if the connection is not in the correlation.
    /// Cost: about 1 us for each packet of the connection.
    std::vector<ConnectionPacket> of(const ConnectionFacts& connection, const std::stop_token& stop = {}) const;

    /// Returns the numbers of the packets that of() returns, in the same order: 4 bytes for each packet instead of about 200.
    std::vector<std::uint32_t> numbersOf(const ConnectionFacts& connection, const std::stop_token& stop = {}) const;
    /// Returns a packet of the connection by its number.
    ConnectionPacket packet(const ConnectionFacts& connection, std::uint32_t number) const;

private:
    class Index;
    std::unique_ptr<const Index> m_index; ///< Null if the correlation has no messages.
};

/// Returns the packets of one connection, like ConnectionPackets::of().
std::vector<ConnectionPacket> packetsOf(const Timeline& timeline, const ConnectionFacts& connection, const std::stop_token& stop = {});

} // namespace helio
