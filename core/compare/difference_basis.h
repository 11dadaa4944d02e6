#pragma once

#include "core/compare/difference_text.h"

namespace helio {

/// Quantity that makes the amounts of two sides comparable.
struct DifferenceBasis {
    enum class Per : std::uint8_t {
        Run, ///< Amount of one process of the program, or of one thread.
        Share, ///< Share of all samples of the side.
        Samples, ///< Number of samples.
        Unit, ///< Amount of one unit of work, e.g. a request or a frame; the user counted the units.
    };
    Per per = Per::Run;
    double unitsA = 1; ///< Number of units; above 0.
    double unitsB = 1;
    bool operator==(const DifferenceBasis&) const = default;

    /// Returns the default basis: amounts of one run. Shares if only one side has times (and so runs), or if the sides do not count the
    /// same.
    static DifferenceBasis fitting(const SampleKind& a, bool hasTimesA, const SampleKind& b, bool hasTimesB);

    /// Total of a side, and the number of its runs.
    struct Side {
        const SampleKind& kind;
        SampleSum whole;
        std::uint32_t runs = 1;
    };
    DifferenceScale scale(const Side& a, const Side& b) const;
    DifferenceUnit unit(const SampleKind& kind) const;
    /// True if amounts are times to which off-CPU time can be added.
    bool canAddOffCpuTime(const SampleKind& a, const SampleKind& b) const;
    /// True if amounts of the two kinds can be subtracted: both are times, or both count the same. Shares can always be subtracted.
    bool canCompare(const SampleKind& a, const SampleKind& b) const;
};

} // namespace helio
