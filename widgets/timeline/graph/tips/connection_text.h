#pragma once

#include "core/network/connection_packets.h"

#include <QString>

namespace helio {

// Texts about connections and their packets, for tables, tooltips and Details.

/// Counts of both directions: "12 → 7 ←".
QString bothDirectionsText(std::uint64_t there, std::uint64_t back);

/// Thread that owns the end: "curl 2210"; "?" if unknown.
QString ownerText(const ConnectionEnd& end);

/// Address of the end: "172.17.0.2:40000, translated to 10.0.0.1:40001"; just one address if no other is known.
QString addressText(const ConnectionEnd& end);

/// Explains how the owner is known: "it asked to connect"; empty if it is unknown.
QString knownText(OwnerEvidence known);

/// Fate of a packet: "arrived", "lost", "arrived, sent again".
QString fateText(const ConnectionPacket& packet);
/// Explains the fate of a packet in a sentence.
QString fateTip(const ConnectionPacket& packet);

/// Latency of a packet: "612 µs ±64 µs", "612 µs ± ?"; empty if an end is unknown.
QString latencyText(const ConnectionPacket& packet);

/// Error bound: "±64 µs", "± ?".
QString errorBoundText(Duration error);

} // namespace helio
