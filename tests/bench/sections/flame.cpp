// Benchmark of call trees: from a million synthetic samples, and from the largest perf recording. The recording is compared with perf
// script and with an awk program that turns the output of perf script into folded stacks.

#include "core/experiment/timeline.h"
#include "core/profiling/samples/call_tree.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/made_timeline.h"
#include "tests/support/real_traces.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <random>

namespace helio::bench {
namespace {

constexpr std::uint64_t MadeSamples = 1'000'000;

/// Makes a store of samples with stacks about 20 frames deep and, like in real programs, only a few thousand different stacks.
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
            stack = builder->stacks().stack(stack, {UnknownModule, depth < 19, 100 * depth + random() % (depth / 4 + 1)});
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
    addTrace(timeline, {madeStore()});
    Samples collecting, building;
    for (int i = 0; i < m.repeat; ++i) {
        StackProfile profile;
        CallTree tree;
        collecting.add(1e3 * threadSecondsOf([&] { profile = collectStacks(timeline, {}); }));
        building.add(1e3 * threadSecondsOf([&] { tree = buildCallTree(profile, nameByAddress(profile, timeline)); }));
        if (tree.whole.samples != MadeSamples)
            stop("samples are missing");
    }
    m.figures.add({"flame", "1 M samples: collected", "ms", collecting.best(), collecting.median(), {}});
    m.figures.add({"flame", "1 M samples: named and built", "ms", building.best(), building.median(), {}});
}

/// awk program that folds the output of perf script, like stackcollapse-perf.pl.
constexpr const char* FoldText = R"(awk '
/^[^ \t#].*:/ { comm = $1; stack = ""; next }
/^[ \t]/ { name = $2; sub(/\+0x[0-9a-f]+$/, "", name); stack = ";" name stack; next }
{ if (comm != "") ++counts[comm stack]; comm = "" }
END { for (line in counts) print line, counts[line] }')";

/// CPU time of a shell command on a file, in ms; empty if the command fails.
std::optional<double> costOf(const std::string& command, const QString& file)
{
    const auto cost = runChild({"sh", "-c", command, file.toStdString()});
    return cost.isDone ? std::optional(1e3 * cost.cpuSeconds) : std::nullopt;
}

/// Returns the CPU time in ms of one execution of Heliograph. Deletes the store first, so that Heliograph reads and indexes the file again.
double costOfOurs(Measuring& m, std::vector<std::string> arguments)
{
    const QString stores = QString::fromStdString((m.subject.stores() / "flame").string());
    QDir(stores).removeRecursively();
    arguments.insert(arguments.begin(), HELIOGRAPH_PROGRAM);
    arguments.insert(arguments.end(), {"--quiet", "--store-dir", stores.toStdString()});
    const auto own = runChild(arguments);
    if (!own.isDone)
        stop("heliograph failed: " + own.errors);
    return 1e3 * own.cpuSeconds;
}

/// Measures the CPU time of Heliograph (`ours`) and of another program (`theirs`, named `tool`), which take turns. Adds the times as a
/// benchmark figure with the title `what`.
void compareCosts(Measuring& m, const char* what, const QString& file, const std::vector<std::string>& ours, const char* tool,
                  const std::string& theirs)
{
    Samples own, other;
    for (int i = 0; i < m.repeat; ++i) {
        own.add(costOfOurs(m, ours));
        if (const auto cost = costOf(theirs, file))
            other.add(*cost);
    }
    const auto best = other.isEmpty() ? std::optional<double>() : other.best();
    m.figures.add({"flame", what, "ms", own.best(), own.median(), best, {}, false, tool});
}

/// Returns the path of a file with 16 copies of the text. With a single copy, the start-up of the programs would take most of the measured
/// time.
QString longText(const QString& text, const std::filesystem::path& folder)
{
    constexpr int Times = 16;
    QFile in(text);
    QFile out(QString::fromStdString((folder / "long-script.txt").string()));
    if (!in.open(QIODevice::ReadOnly) || !out.open(QIODevice::WriteOnly))
        stop("the text could not be copied");
    const QByteArray once = in.readAll();
    for (int i = 0; i < Times; ++i)
        if (out.write(once) != once.size())
            stop("the text could not be copied");
    return out.fileName();
}

/// Measures Heliograph with the largest perf recording. Indexing is compared with perf script, writing folded stacks with perf script and
/// FoldText. Writing folded stacks from the text of perf script is compared with FoldText alone.
void measureRecorded(Measuring& m)
{
    const QString data = realTrace("solo-vs-parallel-perf", "data/parallel4.data");
    const QString text = realTrace("solo-vs-parallel-perf", "text/parallel4.script.txt");
    if (data.isEmpty() || text.isEmpty())
        return; // Skip the measurement if the recordings are missing, because they are not available everywhere.
    const std::string recording = data.toStdString();
    const QString printed = longText(text, m.subject.scratch());
    const std::string script = R"(perf script -i "$0" 2>/dev/null)";
    compareCosts(m, "recording indexed, beside perf script", data, {"index", recording}, "perf", script);
    compareCosts(m, "recording to folded stacks, beside perf script and a fold", data, {"flame", recording, "--format", "folded"}, "perf",
                 script + " | " + FoldText);
    compareCosts(m, "141 MB of perf script text to folded stacks, beside a fold", printed,
                 {"flame", printed.toStdString(), "--format", "folded"}, "awk", std::string(FoldText) + R"( "$0")");
    QFile::remove(printed);
}

} // namespace

void measureFlame(Measuring& m)
{
    measureMade(m);
    measureRecorded(m);
}

} // namespace helio::bench
