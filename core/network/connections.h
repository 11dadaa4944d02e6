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

/// Evidence that a thread owns one end of a connection, from the weakest to the strongest.
enum class OwnerEvidence : std::uint8_t {
    Nothing,
    Woken, ///< The thread was woken most often by packets that arrived at this end.
    Connected, ///< Thread that called connect() to the other end just before the handshake.
    Accepted, ///< Thread that accepted a connection from the other end's address and port.
    Sent, ///< Thread that was most often on the CPU when this end sent packets, not counting packets sent in interrupts.
};

/// One of the two ends of a connection. `counts` and the transit times cover the packets that this end sent.
struct ConnectionEnd {
    static constexpr std::uint32_t NoHost = 0xffffffff;

    std::string address; ///< Address as the opener knows it, for example "10.0.1.1:48540" or "socket 0xffff88003b1a0000".
    /// Address that the other end sees if an address translation (NAT) lies between the ends; empty if the address is not translated.
    std::string translated;
    std::uint32_t host = NoHost; ///< Index into Timeline::hosts; NoHost if the host of this end is not among the traces.
    std::int32_t tid = -1; ///< Thread that owns this end; -1 if unknown.
    std::string thread; ///< Name of the owning thread; empty if unknown.
    std::string process; ///< Name of the owning thread's process; empty if unknown.
    OwnerEvidence ownerEvidence = OwnerEvidence::Nothing;
    FlowCounts counts;
    /// Median transit time of the matched packets from this end to the other end; nullopt if no packet is matched.
    std::optional<Duration> median;
    std::optional<Duration> p99; ///< 99th percentile of the transit times from this end to the other end; nullopt if no packet is matched.
};

enum class ConnectionEnding : std::uint8_t {
    None, ///< The protocol has no connections, for example UDP, so they cannot end.
    Open, ///< Neither end closed the connection.
    HalfClosed, ///< One end has sent FIN.
    Finished, ///< Both ends have sent FIN.
    Reset, ///< One end has sent RST.
};

/// Properties of one connection, as tables list them.
struct ConnectionFacts {
    std::uint32_t relation = 0; ///< Index into Timeline::relations of the correlation that has the connection.
    std::uint32_t connection = 0; ///< Index into Transmissions::connections of the correlation `relation`.
    std::string protocol;
    ConnectionEnd from; ///< The end that opened the connection; the end with the higher port if the handshake was not recorded.
    ConnectionEnd to; ///< The end that accepted the connection.
    TimeRange range{}; ///< From the connection's first packet until just after its last packet, on the experiment's clock.
    std::optional<Timestamp> syn; ///< Time of the SYN, as the opener's host recorded it if possible; nullopt if no host recorded it.
    std::optional<Duration> answered; ///< Time from the SYN to the SYN-ACK; nullopt if either was not recorded.
    std::optional<Duration> acknowledged; ///< Time from the SYN-ACK to its acknowledgement; nullopt if either was not recorded.
    ConnectionEnding ending = ConnectionEnding::None;
    Duration error{}; ///< Upper bound of the error of transit times, from the clocks of the hosts; Duration::max() if unknown.
    bool hasLengths = false; ///< True if the lengths of packets were recorded, so that byte counts and retransmissions are known.

    /// Returns the duration of the handshake, `answered` plus `acknowledged`; nullopt if one of them is unknown.
    std::optional<Duration> handshake() const;
};

/// Returns the connections that have packets in `range`, in the order of their beginning. Counts and transit times cover the packets in
/// `range`; all other members cover the whole connection. Returns early once `stop` is requested.
/// Cost: about 200 ns for each packet of the experiment.
std::vector<ConnectionFacts> collectConnections(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

/// Returns the connection as text, for example "tcp 10.0.1.1:48540 > 10.0.1.2:8080". Names of hosts replace missing addresses; "?" stands
/// for an unknown host.
std::string nameOf(const Timeline& timeline, const ConnectionFacts& connection);
/// Returns the name of the end's host as views show it, for example "client" or a name that the user gave; empty if the host is not among
/// the traces.
std::string hostOf(const Timeline& timeline, const ConnectionEnd& end);

/// Returns how an owner was found as a word for tables, for example "sent"; empty for Nothing.
std::string_view wordOf(OwnerEvidence known);
std::string_view wordOf(ConnectionEnding ending); ///< Returns a word for output: "fin", "half-closed", "reset" or "open"; empty for None.

/// True if any trace has packets, matched or not.
bool hasConnections(const Timeline& timeline);
/// True if traces have packets, but no packet says which connection it belongs to.
bool hasUnidentifiedPackets(const Timeline& timeline);

} // namespace helio
