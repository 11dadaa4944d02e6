#include "tests/bench/sections/indexing_runs.h"

#include "tests/bench/suite/child_process.h"

namespace helio::bench {

IndexingRuns runIndexing(const Measuring& m, const std::string& trace, const std::filesystem::path& stores,
                         const std::vector<std::string>& theirs)
{
    IndexingRuns runs;
    runs.tool = theirs.front();
    const auto index = [&](const char* jobs, Samples& samples) {
        const auto cost =
            runChild({HELIOGRAPH_PROGRAM, "index", trace, "--force", "--quiet", "--store-dir", stores.string(), "--jobs", jobs});
        if (!cost.isDone)
            stop("heliograph index failed: " + cost.errors);
        samples.add(cost.seconds);
    };
    for (int i = 0; i < m.repeat; ++i) {
        index("1", runs.one);
        index("2", runs.two);
        if (const auto cost = runChild(theirs); cost.isDone)
            runs.theirs.add(cost.seconds);
    }
    return runs;
}

void IndexingRuns::addFigures(Measuring& m, const std::string& id, const std::string& what, double count, const std::string& things,
                              double goal) const
{
    const double millions = count / 1e6;
    const auto other = theirs.isEmpty() ? std::optional<double>() : millions / theirs.best();
    const auto add = [&](const char* suffix, const char* threads, const Samples& own, std::optional<Goal> toReach) {
        m.figures.add({id + suffix, what + threads, "M " + things + "/s", millions / own.best(), millions / own.median(), other, toReach,
                       true, tool});
    };
    add("_1", ", one thread", one, {});
    add("_2", ", two threads", two, atLeastTimesTheirs(goal));
}

} // namespace helio::bench
