#pragma once

#include "core/compare/difference_text.h"

namespace helio {

/// By what the amounts of two sides are made comparable.
struct DifferenceBasis {
    enum class Per : std::uint8_t {
        Run, ///< Of one process of the program, or of one thread.
        Share, ///< Of all samples of the side.
        Samples, ///< As counted.
        Unit, ///< Of one unit of work, which the person counted: requests, frames.
    };
    Per per = Per::Run;
    double unitsA = 1; ///< Above 0.
    double unitsB = 1;
    bool operator==(const DifferenceBasis&) const = default;

    /// What sides are compared by where nobody said: amounts of one run; shares of all where one side alone has times, and so no runs, or
    /// where they do not count the same.
    static DifferenceBasis fitting(const SampleKind& a, bool hasTimesA, const SampleKind& b, bool hasTimesB);

    /// Total of a side, and the number of its runs.
    struct Side {
        const SampleKind& kind;
        SampleSum whole;
        std::uint32_t runs = 1;
    };
    DifferenceScale scale(const Side& a, const Side& b) const;
    DifferenceUnit unit(const SampleKind& kind) const;
    /// Amounts are lengths of time, to which time off the CPU can be added.
    bool isOfWallTime(const SampleKind& a, const SampleKind& b) const;
    /// Whether amounts of these can be subtracted: both are time, or both count the same. Shares always can.
    bool canCompare(const SampleKind& a, const SampleKind& b) const;
};

} // namespace helio
