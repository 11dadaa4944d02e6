#pragma once

#include "core/network/connection_packets.h"

#include <QString>

namespace helio {

// Texts about connections and their packets, for tables, tooltips and Details.

/// Returns the counts of both directions: "12 → 7 ←".
QString bothDirectionsText(std::uint64_t there, std::uint64_t back);

/// Returns the thread that owns an end of a connection: "curl 2210"; "?" if unknown.
QString ownerText(const ConnectionEnd& end);

/// Returns the addresses of an end of a connection: "172.17.0.2:40000, translated to 10.0.0.1:40001"; a single address if the other is
/// unknown.
QString addressText(const ConnectionEnd& end);

/// Explains how the owner of a connection's end was found, e.g. "it asked to connect"; empty if the owner is unknown.
QString knownText(OwnerEvidence known);

/// Returns the fate of a packet: "arrived", "lost", "arrived, sent again".
QString fateText(const ConnectionPacket& packet);
/// Explains the fate of a packet in a sentence.
QString fateTip(const ConnectionPacket& packet);

/// Returns the latency of a packet: "612 µs ±64 µs", "612 µs ± ?" if the error is unknown; empty if one end was not recorded.
QString latencyText(const ConnectionPacket& packet);

/// Returns an error bound: "±64 µs", or "± ?" if unknown.
QString errorBoundText(Duration error);

} // namespace helio
