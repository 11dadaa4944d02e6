#include "core/clock/fit/consensus.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace helio {
namespace {

/// Number of hull layers to keep. When a bound at a corner of the hull is removed, bounds of the layers below become corners. With several
/// layers kept, bounds can be removed without searching all bounds again.
constexpr std::size_t Layers = 8;

struct Hulls {
    Hull ceilings;
    Hull floors; ///< Lower hull of the floors with their y negated, i.e. the upper hull of the floors.

    void add(const OffsetBound& bound) { (bound.isCeiling ? ceilings : floors).add({bound.x, bound.isCeiling ? bound.y : -bound.y}); }
    bool hasBoth() const { return !ceilings.isEmpty() && !floors.isEmpty(); }
};

/// Slope at which the hull of the ceilings lies highest above the hull of the floors. If the hulls overlap at every slope, it is the slope
/// with the smallest overlap.
struct TightestSlope {
    Slope slope;
    long double gap = 0; ///< Distance between the hulls at `slope`; negative if the hulls overlap.
    Hull::Point ceiling;
    Hull::Point floor; ///< Corner of the floors' hull that bounds the gap. Its y is negated, as in Hulls::floors.
    std::array<Hull::Point, 2> ceilings;
    std::array<Hull::Point, 2> floors;
};

long double gapAt(const Hulls& hulls, Slope slope)
{
    const Hull::Point& ceiling = hulls.ceilings.tangentCorner(slope);
    const Hull::Point& floor = hulls.floors.tangentCorner({-slope.rise, slope.run});
    const long double real = static_cast<long double>(slope.rise) / static_cast<long double>(slope.run);
    return static_cast<long double>(ceiling.y + floor.y) - real * static_cast<long double>(ceiling.x - floor.x);
}

/// Finds the slope with the largest gap between the hulls, by bisection. Bisection finds it because the gap is a concave function of the
/// slope. Slopes are tried from -1 % to 1 %, as fractions with the denominator `Run`.
TightestSlope findTightestSlope(const Hulls& hulls)
{
    constexpr std::int64_t Run = std::int64_t(1) << 56;
    std::int64_t low = -Run / 100;
    std::int64_t high = Run / 100;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        const bool falls = hulls.ceilings.tangentCorner({middle, Run}).x > hulls.floors.tangentCorner({-middle, Run}).x;
        (falls ? high : low) = middle;
    }
    TightestSlope found;
    found.slope = {low, Run};
    found.gap = std::max(gapAt(hulls, {low, Run}), gapAt(hulls, {high, Run}));
    found.ceiling = hulls.ceilings.tangentCorner(found.slope);
    found.floor = hulls.floors.tangentCorner({-low, Run});
    found.ceilings = {found.ceiling, hulls.ceilings.tangentCorner({high, Run})};
    found.floors = {found.floor, hulls.floors.tangentCorner({-high, Run})};
    return found;
}

/// Returns the bounds at the corners of the `Layers` outermost hulls. Each hull is built from the bounds that remain when the bounds on all
/// hulls outside of it are removed.
std::vector<OffsetBound> outerLayers(std::vector<OffsetBound> bounds)
{
    std::vector<OffsetBound> outer;
    for (std::size_t layer = 0; layer < Layers && !bounds.empty(); ++layer) {
        Hulls hulls;
        for (const OffsetBound& bound : bounds)
            hulls.add(bound);
        const auto isCorner = [&](const OffsetBound& bound) {
            const std::vector<Hull::Point>& corners = (bound.isCeiling ? hulls.ceilings : hulls.floors).corners();
            const auto at = std::ranges::lower_bound(corners, bound.x, {}, &Hull::Point::x);
            return at != corners.end() && *at == Hull::Point{bound.x, bound.isCeiling ? bound.y : -bound.y};
        };
        const auto rest = std::stable_partition(bounds.begin(), bounds.end(), [&](const OffsetBound& it) { return !isCorner(it); });
        outer.insert(outer.end(), rest, bounds.end());
        bounds.erase(rest, bounds.end());
    }
    std::ranges::sort(outer, {}, &OffsetBound::x);
    return outer;
}

/// Large set of bounds from which single bounds are removed repeatedly. The bounds are divided by x into blocks, and only the outer
/// layers of each block are searched. Removing a bound recomputes only its block. A bound that is on no outer layer of its block is on no
/// outer layer of the whole set either.
class BoundBlocks {
public:
    /// Divides the bounds into blocks of `Length` consecutive bounds. Requires: `bounds` are sorted by x.
    explicit BoundBlocks(std::vector<OffsetBound> bounds)
    {
        for (std::size_t begin = 0; begin < bounds.size(); begin += Length) {
            const auto first = bounds.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto count = std::min(Length, bounds.size() - begin);
            m_all.push_back({std::vector<OffsetBound>(first, first + static_cast<std::ptrdiff_t>(count)), {}});
            m_all.back().outer = outerLayers(m_all.back().bounds);
        }
    }

    /// Returns the bounds on the outer layers of all blocks, sorted by x. The result contains all bounds that are on the outer layers of
    /// the whole set of bounds.
    std::vector<OffsetBound> outer() const
    {
        std::vector<OffsetBound> outer;
        for (const BoundBlock& it : m_all)
            outer.insert(outer.end(), it.outer.begin(), it.outer.end());
        return outer;
    }

    void leaveOut(const std::unordered_set<std::uint32_t>& gone)
    {
        const auto isGone = [&](const OffsetBound& it) { return gone.contains(it.message); };
        for (BoundBlock& it : m_all) {
            if (std::ranges::none_of(it.outer, isGone))
                continue;
            std::erase_if(it.bounds, isGone);
            it.outer = outerLayers(it.bounds);
        }
    }

private:
    static constexpr std::size_t Length = 4096;
    struct BoundBlock {
        std::vector<OffsetBound> bounds;
        std::vector<OffsetBound> outer;
    };
    std::vector<BoundBlock> m_all;
};

Hulls hullsOf(const std::vector<OffsetBound>& bounds, std::size_t without)
{
    Hulls hulls;
    for (std::size_t i = 0; i < bounds.size(); ++i)
        if (i != without)
            hulls.add(bounds[i]);
    return hulls;
}

bool decides(const OffsetBound& bound, const TightestSlope& tightest)
{
    const Hull::Point point{bound.x, bound.isCeiling ? bound.y : -bound.y};
    const auto& corners = bound.isCeiling ? tightest.ceilings : tightest.floors;
    return point == corners[0] || point == corners[1];
}

/// Removes bounds one at a time until the remaining bounds agree, or until `most` are removed. Returns true if they agree.
bool leaveOut(std::vector<OffsetBound>& bounds, std::size_t most, std::vector<std::uint32_t>& outliers, const std::stop_token& stop)
{
    Hulls hulls = hullsOf(bounds, bounds.size());
    while (hulls.hasBoth() && !stop.stop_requested()) {
        const TightestSlope tightest = findTightestSlope(hulls);
        if (tightest.gap >= 0)
            return true;
        if (outliers.size() >= most)
            return false;
        std::size_t worst = bounds.size();
        long double best = 0;
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            if (!decides(bounds[i], tightest))
                continue;
            const Hulls rest = hullsOf(bounds, i);
            const long double gap = rest.hasBoth() ? findTightestSlope(rest).gap : 0;
            if (worst == bounds.size() || gap > best)
                worst = i, best = gap;
        }
        outliers.push_back(bounds[worst].message);
        bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(worst));
        hulls = hullsOf(bounds, bounds.size());
    }
    return false;
}

Corridor corridorOf(const std::vector<OffsetBound>& bounds)
{
    Corridor corridor;
    for (const OffsetBound& bound : bounds)
        if (bound.isCeiling)
            corridor.addCeiling(bound.x, bound.y);
        else
            corridor.addFloor(bound.x, bound.y);
    return corridor;
}

bool hasBoth(const Corridor& corridor) { return corridor.hasCeilings() && corridor.hasFloors(); }
bool isOpen(Corridor& corridor) { return hasBoth(corridor) && corridor.open(); }

} // namespace

Consensus findConsensus(std::span<const OffsetBound> all, std::size_t most, const std::stop_token& stop)
{
    Consensus found;
    std::vector<OffsetBound> sorted(all.begin(), all.end());
    std::ranges::stable_sort(sorted, {}, &OffsetBound::x);
    found.corridor = corridorOf(sorted);
    found.isOpen = isOpen(found.corridor);
    if (found.isOpen)
        return found;
    BoundBlocks blocks(std::move(sorted));
    while (!found.isOpen && hasBoth(found.corridor) && found.outliers.size() < most && !stop.stop_requested()) {
        std::vector<OffsetBound> outer = outerLayers(blocks.outer());
        const std::size_t before = found.outliers.size();
        leaveOut(outer, most, found.outliers, stop);
        const std::unordered_set<std::uint32_t> gone(found.outliers.begin() + static_cast<std::ptrdiff_t>(before), found.outliers.end());
        if (gone.empty())
            break;
        blocks.leaveOut(gone);
        found.corridor = corridorOf(blocks.outer());
        found.isOpen = isOpen(found.corridor);
    }
    std::ranges::sort(found.outliers);
    return found;
}

LeastViolatedLine findLeastViolatedLine(std::span<const OffsetBound> bounds)
{
    std::vector<OffsetBound> sorted(bounds.begin(), bounds.end());
    std::ranges::stable_sort(sorted, {}, &OffsetBound::x);
    const TightestSlope tightest = findTightestSlope(hullsOf(sorted, sorted.size()));
    const auto slope = static_cast<long double>(tightest.slope.rise) / static_cast<long double>(tightest.slope.run);
    const Hull::Point& ceiling = tightest.ceiling;
    const auto floorAtCeiling =
        static_cast<long double>(-tightest.floor.y) + slope * static_cast<long double>(ceiling.x - tightest.floor.x);
    return {slope, ceiling.x, ceiling.y + static_cast<std::int64_t>((floorAtCeiling - static_cast<long double>(ceiling.y)) / 2)};
}

} // namespace helio
