#pragma once

#include "core/base/time.h"
#include "core/latency/periods/find_periods.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// What of pieces repeats.
enum class PeriodOf : std::uint8_t {
    Lengths, ///< They gather at lengths that are equally far from each other.
    Begins, ///< They begin regularly.
    Ends,
    GapBegins, ///< What lies between them begins regularly, where none of them is.
    GapEnds,
};

/// A period that was found in how long pieces are, or in when they come.
struct PiecePeriod {
    PeriodOf of = PeriodOf::Lengths;
    Duration from{}; ///< Only those, or gaps, as long as that or longer; 0: of all.
    /// So many there are of these. Where found.count is less, the period is of a part of them: of a sample, or of where they are densest.
    std::uint64_t all = 0;
    FoundPeriod found;

    Duration period() const;
    /// Of lengths: the shortest that they gather at. Of times: the first one, after the first piece's.
    std::int64_t phase() const;
    /// Whether the piece is one of those that lie near phase + n * period. Of gaps: whether it ends, or begins, there.
    bool has(TimeRange piece) const;
};

/// Looks for periods in pieces as they come. Looked at are all lengths, begins and ends; the begins and ends of the longest 10 and 1 in
/// 100; and the same of the longest 10 in 100 of the gaps in which there is none.
///
/// One thread. Memory: 12 MB, however many pieces there are: of more than 262,144 a sample that is the same each time, and of the longest
/// ones at most 65,536. Cost: some 20 ns a piece, and at the end up to 3 s for many.
class PiecePeriods {
public:
    /// In the order of their begins. One that ends before it begins ends where it begins.
    void add(TimeRange piece);

    /// The strongest first; of those of the same period, or one that is a multiple of it, the strongest alone, and a shorter one beside it
    /// if that is of more than twice as many pieces. Of gaps none is said that is only what two periods of pieces make together. Ends
    /// early, with nothing, once it is stopped.
    std::vector<PiecePeriod> find(std::stop_token stop = {}) const;

private:
    /// Of many a sample, and the longest.
    class Kept {
    public:
        void add(TimeRange range);
        const std::vector<TimeRange>& sample() const { return m_sample; }
        /// So much of all, the longest ones. Empty: they are too few.
        std::vector<TimeRange> longest(double share) const;
        std::uint64_t count() const { return m_count; }

    private:
        std::uint64_t m_count = 0;
        std::uint64_t m_dice = 0x9e3779b97f4a7c15;
        std::vector<TimeRange> m_sample;
        std::vector<TimeRange> m_longest; ///< And, until they are many, shorter ones.
    };

    Kept m_pieces;
    Kept m_gaps;
    Timestamp m_end = Timestamp::min(); ///< Of all so far.
};

/// In words, as "96 % of the 390 longest (100 ms and longer) end within 25 ms of 12:34:56.102 + n x 249.96 ms". `timeText` says moments.
std::string periodWords(const PiecePeriod& period, const std::function<std::string(Timestamp)>& timeText);

/// "249.96 ms": five digits.
std::string roughLength(double ns);

} // namespace helio
