// Call trees: of a million made samples, and of the largest recording by perf beside what perf script and a folding of its text take.

#include "core/experiment/timeline.h"
#include "core/query/call_tree.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/real_traces.h"

#include <QDir>
#include <QFileInfo>

#include <random>

namespace helio::bench {
namespace {

constexpr std::uint64_t MadeSamples = 1'000'000;

/// A store of so many samples with stacks some 20 deep, of which a few thousand are different: as real programs have them.
std::shared_ptr<const Store> madeStore()
{
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    SampleSink& sink = builder->samples();
    const SampleKindId kind = sink.addKind({"cpu-clock", "ns", SampleKind::Origin::Event, true});
    std::mt19937_64 random(1);
    std::vector<StackId> stacks;
    for (int i = 0; i < 5000; ++i) {
        StackId stack = NoStack;
        for (unsigned depth = 0; depth < 20; ++depth)
            stack = sink.stack(stack, {UnknownModule, depth < 19, 100 * depth + random() % (depth / 4 + 1)});
        stacks.push_back(stack);
    }
    for (std::uint64_t i = 0; i < MadeSamples; ++i) {
        HostSample sample;
        sample.time = hostTime(std::int64_t(1000 * i));
        sample.weight = 1'001'001;
        sample.event = i;
        sample.stack = stacks[random() % stacks.size()];
        sample.cpu = int(random() % 8);
        sample.kind = kind;
        sink.add(sample);
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(std::int64_t(1000 * MadeSamples))};
    return *builder->finish(summary);
}

void measureMade(Measuring& m)
{
    Timeline timeline;
    timeline.traces.push_back({nullptr, madeStore(), {}, 0, {}, {}});
    timeline.hosts.push_back({"host", "host"});
    Samples collecting, building;
    for (int i = 0; i < m.repeat; ++i) {
        StackProfile profile;
        CallTree tree;
        collecting.add(1e3 * threadSecondsOf([&] { profile = collectStacks(timeline, {}); }));
        building.add(1e3 * threadSecondsOf([&] { tree = buildCallTree(profile, namedByAddress(profile, timeline)); }));
        if (tree.whole.samples != MadeSamples)
            stop("samples are missing");
    }
    m.figures.add({"flame", "1 M samples: collected", "ms", collecting.best(), collecting.median(), {}});
    m.figures.add({"flame", "1 M samples: named and built", "ms", building.best(), building.median(), {}});
}

/// What a stackcollapse does with what perf script prints.
constexpr const char* Fold = R"(perf script -i "$0" 2>/dev/null | awk '
/^[^ \t#].*:/ { comm = $1; stack = ""; next }
/^[ \t]/ { name = $2; sub(/\+0x[0-9a-f]+$/, "", name); stack = ";" name stack; next }
{ if (comm != "") ++counts[comm stack]; comm = "" }
END { for (line in counts) print line, counts[line] }')";

/// Ours from nothing: no store.
void measureRecorded(Measuring& m)
{
    const QString file = realTrace("solo-vs-parallel-perf", "data/parallel4.data");
    if (file.isEmpty())
        return; // The recordings are not everywhere.
    const QString stores = QString::fromStdString((m.subject.stores() / "flame").string());
    Samples ours, theirs;
    for (int i = 0; i < m.repeat; ++i) {
        QDir(stores).removeRecursively();
        const auto own = runChild({HELIOGRAPH_PROGRAM, "flame", file.toStdString(), "--format", "folded", "--quiet", "--store-dir", stores.toStdString()});
        if (!own.isDone)
            stop("heliograph flame failed: " + own.errors);
        ours.add(1e3 * own.cpuSeconds);
        if (const auto cost = runChild({"sh", "-c", Fold, file.toStdString()}); cost.isDone)
            theirs.add(1e3 * cost.cpuSeconds);
    }
    m.figures.add({"flame", "recording to folded stacks", "ms", ours.best(), ours.median(),
                   theirs.isEmpty() ? std::optional<double>() : theirs.best()});
}

} // namespace

void measureFlame(Measuring& m)
{
    measureMade(m);
    measureRecorded(m);
}

} // namespace helio::bench
