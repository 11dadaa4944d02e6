#pragma once

#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Evidence for which thread owns one end of a connection; the weakest evidence comes first.
enum class OwnerEvidence : std::uint8_t {
    Nothing,
    Woken, ///< Arriving packets woke this thread most often.
    Connected, ///< It called connect() to the other end just before the handshake.
    Accepted, ///< It accepted a connection from the other end's address and port.
    Sent, ///< Packets left most often while this thread was on the CPU and no interrupt was served.
};

/// One of a connection's two ends. The counts are those of the packets that this end sent.
struct ConnectionEnd {
    static constexpr std::uint32_t NoHost = 0xffffffff;

    std::string address; ///< For example "10.0.1.1:48540", as the opener knows it; or "socket 0xffff88003b1a0000".
    std::string translated; ///< Its address on the other side of an address translation (NAT); empty if it is not translated.
    std::uint32_t host = NoHost; ///< Index into Timeline::hosts; NoHost if its host is not among the traces.
    std::int32_t tid = -1; ///< Thread that owns this end; -1 if unknown.
    std::string thread; ///< Name of the thread; empty if unknown.
    std::string process; ///< Name of the thread's process; empty if unknown.
    OwnerEvidence ownerEvidence = OwnerEvidence::Nothing;
    FlowCounts counts;
    /// Median transit time of this end's matched packets to the other end; nullopt if no packet is matched.
    std::optional<Duration> median;
    std::optional<Duration> p99; ///< 99th percentile of these transit times; nullopt if no packet is matched.
};

enum class ConnectionEnding : std::uint8_t {
    None, ///< The protocol has no connections, for example UDP.
    Open, ///< Neither end closed it.
    HalfClosed, ///< One end has sent FIN.
    Finished, ///< Both ends have sent FIN.
    Reset, ///< One end has sent RST.
};

/// The facts of one connection that tables list.
struct ConnectionFacts {
    std::uint32_t relation = 0; ///< Index into Timeline::relations.
    std::uint32_t connection = 0; ///< Index into Transmissions::connections of that relation.
    std::string protocol;
    ConnectionEnd from; ///< The end that opened the connection; if its handshake was not recorded, the end with the higher port.
    ConnectionEnd to; ///< The end that accepted the connection.
    TimeRange range{}; ///< Time from its first packet until just after its last packet, on the experiment's clock.
    std::optional<Timestamp> syn; ///< Time of the SYN, recorded at the opener if possible; nullopt if not recorded.
    std::optional<Duration> answered; ///< Time from the SYN to the SYN-ACK; nullopt if one was not recorded.
    std::optional<Duration> acknowledged; ///< Time from the SYN-ACK to its acknowledgement; nullopt if one was not recorded.
    ConnectionEnding ending = ConnectionEnding::None;
    Duration error{}; ///< Upper bound of the error of transit times; Duration::max() if unknown.
    bool hasLengths = false; ///< True if the lengths of packets were recorded: then byte counts and retransmissions are known.

    /// Returns `answered` plus `acknowledged`; nullopt if one of them is unknown.
    std::optional<Duration> handshake() const;
};

/// Returns the connections that have packets in `range`, in the order of their beginning. Counts and transit times cover the packets in
/// `range`; all other facts cover the whole connection. Returns early once `stop` is requested.
/// Cost: about 200 ns for each packet of the experiment.
std::vector<ConnectionFacts> collectConnections(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

/// Returns for example "tcp 10.0.1.1:48540 > 10.0.1.2:8080"; without addresses, the names of the hosts, "?" for an unknown one.
std::string nameOf(const Timeline& timeline, const ConnectionFacts& connection);
/// Returns the host's name as views show it, for example "client" or a name that the user gave; empty if it is not among the traces.
std::string hostOf(const Timeline& timeline, const ConnectionEnd& end);

std::string_view wordOf(OwnerEvidence known); ///< Returns for example "sent"; empty for Nothing.
std::string_view wordOf(ConnectionEnding ending); ///< Returns "fin", "half-closed", "reset" or "open"; empty for None.

/// True if any trace has packets, matched or not.
bool hasConnections(const Timeline& timeline);
/// True if traces have packets, but no packet says which connection it belongs to.
bool hasUnidentifiedPackets(const Timeline& timeline);

} // namespace helio
