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

/// How it is known which thread has an end of a connection, what is surest last.
enum class OwnerKnownBy : std::uint8_t {
    Nothing,
    Woken, ///< Packets that came in woke it, most often of all threads.
    Connected, ///< It asked to connect to the other end, just before the handshake.
    Accepted, ///< It accepted a connection from the other end's address and port.
    Sent, ///< Packets left while it was on the CPU and no interrupt was served, most often of all threads.
};

/// One of a connection's two ends. Counts are of what it sent.
struct ConnectionEnd {
    static constexpr std::uint32_t NoHost = 0xffffffff;

    std::string address; ///< "10.0.1.1:48540", as the end that opened the connection knows it; or "socket 0xffff88003b1a0000".
    std::string translated; ///< Its address on the other side of a translation (NAT); empty: it is the same.
    std::uint32_t host = NoHost; ///< Index in Timeline::hosts; NoHost: its host is not among the traces.
    std::int32_t tid = -1;
    std::string thread; ///< Names, as far as they are known.
    std::string process;
    OwnerKnownBy knownBy = OwnerKnownBy::Nothing;
    FlowCounts counts;
    /// How long its packets took to the other end; of those that are matched. Nothing: none is.
    std::optional<Duration> median;
    std::optional<Duration> p99;
};

enum class ConnectionEnding : std::uint8_t {
    None, ///< Of what has no connections, as UDP.
    Open, ///< Nothing ended it.
    HalfClosed, ///< One end sends no more.
    Finished, ///< Both ends said so.
    Reset,
};

/// What is listed of one connection.
struct ConnectionFacts {
    std::uint32_t relation = 0; ///< Index in Timeline::relations.
    std::uint32_t connection = 0; ///< In its Transmissions::connections.
    std::string protocol;
    ConnectionEnd from; ///< Who opened it; where its handshake was not seen: the end of the higher port.
    ConnectionEnd to;
    TimeRange range{}; ///< From its first packet to behind its last one, on the experiment's clock.
    std::optional<Timestamp> syn; ///< Its handshake, as far as it was seen; at the opener where that was recorded, else at the other end.
    std::optional<Duration> answered; ///< From that to the answer,
    std::optional<Duration> acknowledged; ///< and from the answer to its acknowledgement.
    ConnectionEnding ending = ConnectionEnding::None;
    Duration error{}; ///< What how long packets took is right within, at most. Duration::max(): not known.
    bool hasLengths = false; ///< Lengths of packets were recorded: bytes, and which packets were sent again, are known.

    std::optional<Duration> handshake() const;
};

/// Those with packets in a range, by their begin; counts and how long packets took are of these packets, all else of the whole connection.
/// Ends early once `stop` is requested. Cost: some 200 ns a packet of the experiment.
std::vector<ConnectionFacts> connectionsIn(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

/// "tcp 10.0.1.1:48540 > 10.0.1.2:8080"; without addresses by hosts, as far as they are known.
std::string nameOf(const Timeline& timeline, const ConnectionFacts& connection);
/// "client", or what a person calls it; empty where the host is not among the traces.
std::string hostOf(const Timeline& timeline, const ConnectionEnd& end);

std::string_view wordOf(OwnerKnownBy known); ///< "sent"; empty: by nothing.
std::string_view wordOf(ConnectionEnding ending); ///< "fin", "half-closed", "reset", "open"; empty: none.

/// Some trace has packets, matched or not.
bool hasConnections(const Timeline& timeline);
/// Traces have packets, and none says which connection it is of.
bool hasUnnamedPackets(const Timeline& timeline);

} // namespace helio
