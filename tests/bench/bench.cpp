// heliograph_bench [TRACE]: measures the cost of opening and showing a trace, and of babeltrace2 on the same trace, on the same machine,
// in the same run. `--help` lists the options. Each section is a file in sections/. With --load, it measures large recordings (load/).

#include "tests/bench/load/load.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/options.h"
#include "tests/bench/suite/report.h"
#include "tests/bench/suite/scratch.h"
#include "tests/support/real_traces.h"

#include <QApplication>
#include <QJsonDocument>

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <thread>

using namespace helio::bench;

namespace {

QJsonObject readBefore(const std::filesystem::path& path)
{
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    if (!json["figures"].isObject())
        stop(path.string() + ": no figures of an earlier run are here");
    return json;
}

void noteLoad(Figures& figures)
{
    const double load = machineLoad();
    if (load > 0.5 * std::thread::hardware_concurrency())
        figures.note(fmt::format("other programs were running (load {:.1f}): times are too long", load));
}

int measureAll(const BenchOptions& options, const std::filesystem::path& scratch)
{
    QJsonObject before;
    if (!options.before.empty())
        before = readBefore(options.before);
    Figures figures;
    noteLoad(figures);
    Subject subject(options.trace, scratch, options.events);
    Measuring measuring{subject, figures, options.repeat};
    for (const Section& section : sections()) {
        if (!options.wants(section.name))
            continue;
        fmt::print(stderr, "{}: {}\n", section.name, section.what);
        figures.begin(section.what);
        section.measure(measuring);
    }
    const Setting setting{describeMachine(),
                          fmt::format("{} events made of {}, {} MiB", subject.eventsOf(options.events), options.trace.filename().string(),
                                      subject.bytesOf(options.events) >> 20)};
    fmt::print("{}", options.asMarkdown ? asMarkdown(setting, figures) : asTable(setting, figures));
    if (!before.isEmpty())
        fmt::print("\n{}", compare(figures, before));
    if (options.json.empty())
        return 0;
    std::ofstream(options.json) << QJsonDocument(asJson(setting, figures)).toJson().toStdString();
    return 0;
}

std::filesystem::path defaultTrace()
{
    const QString recorded = helio::realTrace("big-kernel"); // The archive is unpacked once; tests share the unpacked trace.
    return recorded.isEmpty() ? std::filesystem::path(SOURCE_DIR "/resources/samples/workers")
                              : std::filesystem::path(recorded.toStdString());
}

} // namespace

int main(int argc, char** argv)
{
    BenchOptions options = readOptions(argc, argv);
    if (options.measuresLoads)
        return withScratch(options.scratch, [&](const std::filesystem::path& scratch) {
            setenv("QT_QPA_PLATFORM", "offscreen", 1);
            return measureLoads(options, scratch);
        });
    if (options.trace.empty())
        options.trace = defaultTrace();
    return withScratch(options.scratch, [&](const std::filesystem::path& scratch) {
        setenv("QT_QPA_PLATFORM", "offscreen", 1); // The benchmark paints pictures, but shows no window.
        setenv("TMPDIR", scratch.c_str(), 1);
        int count = 1;
        const QApplication application(count, argv);
        return measureAll(options, scratch);
    });
}
