#include "tests/bench/suite/report.h"

#include <QJsonArray>

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <thread>

namespace helio::bench {
namespace {

/// Formats a number with three significant digits.
std::string number(double value)
{
    if (value == 0)
        return "0";
    const double size = std::abs(value);
    const int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    return fmt::format("{:.{}f}", value, digits);
}

/// Returns the value of the tool that was run for comparison, with the tool's name.
std::string theirText(const Figure& figure) { return figure.theirs ? figure.tool + ' ' + number(*figure.theirs) : std::string(); }

std::string timesText(const std::optional<double>& ratio) { return ratio ? number(*ratio) + " x" : std::string(); }

std::string goalText(const Figure& figure)
{
    if (!figure.goal)
        return {};
    const std::string limit = (figure.goal->isAtMost ? "<= " : ">= ") + number(figure.goal->limit);
    return figure.goal->comparesRatio ? limit + " x" : limit;
}

std::string verdict(const Figure& figure)
{
    const auto isReached = figure.isReached();
    return !isReached ? std::string() : *isReached ? "reached" : "NOT reached";
}

std::string withMedian(const Figure& figure)
{
    return figure.median ? number(figure.value) + " (" + number(*figure.median) + ")" : number(figure.value);
}

QJsonObject asJson(const Figure& figure)
{
    QJsonObject json{{"what", QString::fromStdString(figure.what)},
                     {"unit", QString::fromStdString(figure.unit)},
                     {"value", figure.value},
                     {"more_is_better", figure.isHigherBetter}};
    const auto put = [&](const char* key, const std::optional<double>& value) {
        if (value)
            json.insert(key, *value);
    };
    put("median", figure.median);
    put(figure.tool.c_str(), figure.theirs);
    put("ratio", figure.ratio());
    if (figure.goal)
        json.insert("goal", QString::fromStdString(goalText(figure)));
    if (const auto isReached = figure.isReached())
        json.insert("reached", *isReached);
    return json;
}

} // namespace

std::string describeMachine()
{
    std::string model = "unknown processor";
    std::ifstream cpus("/proc/cpuinfo");
    for (std::string line; std::getline(cpus, line);) {
        if (line.starts_with("model name")) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    }
    struct sysinfo memory = {};
    sysinfo(&memory);
    utsname system{};
    uname(&system);
    return fmt::format("{}, {} cores, {:.0f} GiB, {} {}", model, std::thread::hardware_concurrency(),
                       double(memory.totalram) * memory.mem_unit / double(1 << 30), system.sysname, system.release);
}

double machineLoad()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

std::string asTable(const Setting& setting, const Figures& figures)
{
    std::string text = fmt::format("{}\n{}\n", setting.machine, setting.trace);
    text += fmt::format("\n{:<68} {:>20} {:<12} {:>20} {:>8}  {:<9} {}\n", "", "best (median)", "unit", "other tool", "ratio", "goal", "");
    for (const Group& group : figures.groups()) {
        text += group.title + '\n';
        for (const Figure& figure : group.figures)
            text += fmt::format("  {:<66} {:>20} {:<12} {:>20} {:>8}  {:<9} {}\n", figure.what, withMedian(figure), figure.unit,
                                theirText(figure), timesText(figure.ratio()), goalText(figure), verdict(figure));
    }
    for (const std::string& note : figures.notes())
        text += "note: " + note + '\n';
    return text;
}

std::string asMarkdown(const Setting& setting, const Figures& figures)
{
    std::string text =
        fmt::format("{}; {}.\n\n| | | other tool | ratio | goal | |\n|---|---|---|---|---|---|\n", setting.machine, setting.trace);
    for (const Group& group : figures.groups())
        for (const Figure& figure : group.figures)
            if (figure.goal || figure.theirs)
                text += fmt::format("| {} | {} {} | {} | {} | {} | {} |\n", figure.what, number(figure.value), figure.unit,
                                    theirText(figure), timesText(figure.ratio()), goalText(figure), verdict(figure));
    return text;
}

QJsonObject asJson(const Setting& setting, const Figures& figures)
{
    QJsonObject all;
    for (const Group& group : figures.groups())
        for (const Figure& figure : group.figures)
            all.insert(QString::fromStdString(figure.id), asJson(figure));
    QJsonArray notes;
    for (const std::string& note : figures.notes())
        notes.append(QString::fromStdString(note));
    return {{"machine", QString::fromStdString(setting.machine)},
            {"trace", QString::fromStdString(setting.trace)},
            {"figures", all},
            {"notes", notes}};
}

std::string compare(const Figures& now, const QJsonObject& before)
{
    const QJsonObject old = before["figures"].toObject();
    std::string text = fmt::format("now against {}; {}\n{:<70} {:>12} {:>12} {:<12} {}\n", before["machine"].toString().toStdString(),
                                   before["trace"].toString().toStdString(), "", "before", "now", "unit", "times better");
    for (const Group& group : now.groups()) {
        for (const Figure& figure : group.figures) {
            const QJsonObject known = old[QString::fromStdString(figure.id)].toObject();
            if (known.isEmpty())
                continue;
            const double then = known["value"].toDouble();
            const double times = figure.isHigherBetter ? figure.value / then : then / figure.value;
            text += fmt::format("{:<70} {:>12} {:>12} {:<12} {}\n", figure.what, number(then), number(figure.value), figure.unit,
                                std::isfinite(times) ? number(times) : "");
        }
    }
    return text;
}

} // namespace helio::bench
