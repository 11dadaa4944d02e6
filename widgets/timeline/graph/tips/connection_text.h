#pragma once

#include "core/network/connection_packets.h"

#include <QString>

namespace helio {

// What there is to say of connections and their packets, for tables, tooltips and Details.

/// "12 → 7 ←": what went there and back.
QString bothWays(std::uint64_t there, std::uint64_t back);

/// "curl 2210"; "?" where nobody knows.
QString whoText(const ConnectionEnd& end);

/// "172.17.0.2:40000, translated to 10.0.0.1:40001"; of an end that is known by one address, only that.
QString addressText(const ConnectionEnd& end);

/// How it is known: "it asked to connect". Empty: it is not.
QString knownText(OwnerKnownBy known);

/// "arrived", "lost", "arrived, again".
QString fateText(const ConnectionPacket& packet);
/// What that means, in a sentence.
QString fateTip(const ConnectionPacket& packet);

/// "612 µs ±64 µs", "612 µs ± ?"; empty where an end is not known.
QString latencyText(const ConnectionPacket& packet);

/// "±64 µs", "± ?".
QString boundText(Duration error);

} // namespace helio
