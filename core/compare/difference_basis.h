#pragma once

#include "core/compare/difference_text.h"

namespace helio {

/// Normalization that makes the amounts of two sides comparable.
struct DifferenceBasis {
    enum class Per : std::uint8_t {
        Run, ///< Amount per run, i.e. per process of the compared program, or per compared thread.
        Share, ///< Amounts are shares of all samples of the side.
        Samples, ///< Amounts are numbers of samples.
        Unit, ///< Amount per unit of work, e.g. a request or a frame. The user enters the number of units.
    };
    Per per = Per::Run;
    double unitsA = 1; ///< Number of units of work in A; above 0.
    double unitsB = 1;
    bool operator==(const DifferenceBasis&) const = default;

    /// Returns the default basis: Per::Run if amounts per run are known for both sides or for neither, and both sides count the same thing;
    /// otherwise Per::Share.
    static DifferenceBasis fitting(const SampleKind& a, bool hasTimesA, const SampleKind& b, bool hasTimesB);

    /// Total amount of a side, and its number of runs.
    struct Side {
        const SampleKind& kind;
        SampleSum whole;
        std::uint32_t runs = 1;
    };
    DifferenceScale scale(const Side& a, const Side& b) const;
    DifferenceUnit unit(const SampleKind& kind) const;
    /// Returns true if amounts are CPU times, to which off-CPU time can be added.
    bool canAddOffCpuTime(const SampleKind& a, const SampleKind& b) const;
    /// Returns true if amounts of the two kinds can be subtracted: both are times, or both count the same thing. Shares can always be
    /// subtracted.
    bool canCompare(const SampleKind& a, const SampleKind& b) const;
};

} // namespace helio
