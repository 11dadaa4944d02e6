#pragma once

#include "core/latency/intervals/lengths_by_name.h"
#include "core/query/segments/segments.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// What lasted, of whatever kind: segments (calls by function), what rows' states are together (StateRun), waits of woken threads for a
/// CPU, processes that are kept off idle CPUs, what lasts from an event to another, and the ways of messages from where they were sent to
/// where they came in.
namespace helio {

struct PieceKind {
    std::string id; ///< "syscalls", "packet": as commands call it.
    std::string title; ///< "System calls".
    std::string nameTitle; ///< What their names are: "System call".
    bool operator==(const PieceKind&) const = default;
};

/// One of them.
struct NamedPiece {
    TimeRange range; ///< Of a message it may end before it begins.
    TrackRef row{}; ///< Where it was, or where it was sent. Not valid: on no row.
    /// Its own, of a call its function's; of several hosts with the one that it was on; of a message its connection. Valid while it is
    /// handed over.
    std::string_view name;
    const Segment* segment = nullptr; ///< Which it is, as long as its name. Null: it is none.
};

/// Those that the timeline has: calls and what states are together first, messages last.
std::vector<PieceKind> pieceKinds(const Timeline& timeline);
/// What lasts from an event to another, named by the value that both have, as parseEventPairs() reads it. Nothing: the timeline has no such
/// events or fields.
std::optional<PieceKind> pairKind(const Timeline& timeline, std::string_view text);

/// Which of them.
struct PieceChoice {
    std::string kind;
    TimeRange range = {Timestamp::min(), Timestamp::max()}; ///< Those that lie in it as a whole.
};

/// Hands over all that are chosen, in the order of their begins. Nothing where there is no such kind. Ends early once `stop` is requested.
/// Threads: any but the UI's. Cost: as eachSegment() and some 50 ns each for their names; of messages some 1 us each, and of the first
/// calls as callNamesOf().
void eachPiece(const std::shared_ptr<const Timeline>& timeline, const PieceChoice& choice,
               const std::function<void(const NamedPiece&)>& take, std::stop_token stop = {});

/// How long those of each name lasted, the most time first, each with at most so many buckets. Cost: as eachPiece(), and 8 bytes for each
/// until it is done.
std::vector<NamedLengths> pieceLengths(const std::shared_ptr<const Timeline>& timeline, const PieceChoice& choice, std::size_t buckets = 0,
                                       std::stop_token stop = {});

/// One of them where it is.
struct PlacedPiece {
    TimeRange range;
    TrackRef row;
    std::string thread{}; ///< "dd 412": whose it was, of a request on a disk's row. Empty: its row's, or not known.
};

} // namespace helio
