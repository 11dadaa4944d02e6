// Benchmark of the real window on its own X server, driven with mouse and keys (tests/bench/frames.sh). Times are elapsed times: they are
// too long on a busy machine.

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace helio::bench {
namespace {

const QStringList Smooth{"pan", "zoom", "scroll", "select", "resize"}; ///< Actions for which every frame must be fast.

/// Runs frames.sh and returns its results; empty if it failed.
QJsonObject driveWindow(Measuring& m, const std::vector<std::string>& options)
{
    std::vector<std::string> command{
        "env", "-u", "QT_QPA_PLATFORM", SOURCE_DIR "/tests/bench/frames.sh", HELIOGRAPH_PROGRAM, m.subject.trace().string(),
        // Unsets QT_QPA_PLATFORM, which selects the offscreen platform for this program, because frames.sh needs a real X server.
        "--json"};
    command.insert(command.end(), options.begin(), options.end());
    const auto cost = runChild(command, {false, 0, true});
    const auto found = QJsonDocument::fromJson(QByteArray::fromStdString(cost.output)).object();
    if (!cost.isDone || found.isEmpty())
        m.figures.note("the window could not be driven: " + cost.errors);
    return found;
}

void addFrames(Measuring& m, const QJsonObject& found)
{
    double slowest = 0;
    const auto kinds = found["kinds"].toObject();
    for (auto kind = kinds.begin(); kind != kinds.end(); ++kind) {
        const auto frame = kind.value().toObject()["frame"].toObject();
        if (frame.isEmpty())
            continue;
        const std::string name = kind.key().toStdString();
        m.figures.add({"window_" + name, "window, " + name + ": from the input to the painted window, p99", "ms", frame["p99"].toDouble(),
                       frame["p50"].toDouble()});
        if (Smooth.contains(kind.key()))
            slowest = std::max(slowest, frame["p99"].toDouble());
    }
    m.figures.add({"window_p99", "window: the slowest p99 of pan, zoom, scroll, select and resize", "ms", slowest, {}, {}, atMost(16.7)});
}

} // namespace

void measureWindow(Measuring& m)
{
    if (!isRunnable({"xdotool", "--version"}) || !isRunnable({"xvfb-run", "--help"})) {
        m.figures.note("the window is not driven: xvfb-run or xdotool is missing");
        return;
    }
    if (const auto found = driveWindow(m, {"--wide"}); !found.isEmpty())
        addFrames(m, found);
    const auto found = driveWindow(m, {"--fresh"});
    if (found.isEmpty())
        return;
    m.figures.add({"window_gap", "window while indexing: longest gap of the event loop", "ms", found["gap_ms"].toDouble()});
    m.figures.add(
        {"window_stall", "window while indexing: longest computation", "ms", found["computed_stretch_ms"].toDouble(), {}, {}, atMost(50)});
}

} // namespace helio::bench
