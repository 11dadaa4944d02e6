#include "core/formats/ctf/cutout/packet_output.h"
#include "core/formats/ctf/opening/ctf_find.h"
#include "core/trace/cut_out.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/files.h"
#include "tests/support/made_ctf.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

using namespace helio;

namespace fs = std::filesystem;

namespace {

/// Returns everything that is recorded of an event, as text; without the time if it is not recorded.
std::string lineOf(const Trace& trace, const EventView& event)
{
    const StreamInfo& stream = trace.streams()[event.stream];
    const bool isTimed = trace.info().hasTimes && stream.hasTimes;
    return (isTimed ? std::to_string(nanoseconds(event.time())) : std::string("-")) + ' ' + std::to_string(event.cpu()) + ' '
        + event.type->name + ' ' + textOf(decodeContext(event)) + '|' + textOf(decodeSection(event, Section::Payload));
}

bool isTimed(const Trace& trace, const EventView& event) { return trace.info().hasTimes && trace.streams()[event.stream].hasTimes; }

/// Returns the events of a trace in the range, one line each.
std::vector<std::string> linesIn(const Trace& trace, HostRange range)
{
    std::vector<std::string> lines;
    MergedEvents events(trace);
    while (events.next())
        if (!isTimed(trace, events.event()) || range.contains(events.event().time()))
            lines.push_back(lineOf(trace, events.event()));
    return lines;
}

/// Returns the events that libbabeltrace2 reads in the range, one line each; empty, with a message in `problem`, if it fails.
std::vector<std::string> theirLinesIn(const std::vector<fs::path>& folders, HostRange range, std::string& problem)
{
    std::vector<std::string> lines;
    BabeltraceOracle oracle(folders);
    for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
        if (kind == BabeltraceOracle::Kind::Event && range.contains(hostTime(oracle.time())))
            lines.push_back(std::to_string(oracle.time()) + ' ' + oracle.name() + ' ' + oracle.contextText() + '|' + oracle.payloadText());
    problem = oracle.problem();
    return lines;
}

/// Returns ranges at all interesting places of a trace: at its ends, around single events, around packets, and without any event.
std::vector<HostRange> rangesOf(const Trace& trace, std::size_t most)
{
    std::vector<HostTimestamp> times;
    MergedEvents events(trace);
    while (events.next())
        if (isTimed(trace, events.event()))
            times.push_back(events.event().time());
    std::ranges::sort(times);
    std::vector<HostRange> ranges{{HostTimestamp::min(), HostTimestamp::max()}};
    if (times.empty())
        return ranges;
    const Duration one(1);
    const auto at = [&](std::size_t percent) { return times[(times.size() - 1) * percent / 100]; };
    const auto add = [&](HostTimestamp begin, HostTimestamp end) {
        if (begin < end)
            ranges.push_back({begin, end});
    };
    add(times.front(), times.front() + one);
    add(times.back(), times.back() + one);
    add(times.front(), times.back());
    add(times.front() + one, times.back() + one);
    add(at(50), at(50) + one);
    add(at(30), at(70));
    add(at(48), at(52));
    add(HostTimestamp::min(), at(50));
    add(at(50), HostTimestamp::max());
    for (std::size_t i = 0; i + 1 < times.size() && ranges.size() < most / 3; ++i)
        add(times[i] + one, times[i + 1]); // No event of the trace is in this range, unless times repeat.
    for (const StreamInfo& stream : trace.streams())
        for (const PacketInfo& packet : stream.packets) {
            if (!packet.range || ranges.size() >= most)
                continue;
            add(packet.range->begin, packet.range->end);
            add(packet.range->begin + one, packet.range->end + one);
            add(packet.range->begin - one, packet.range->begin + one);
            add(packet.range->end, packet.range->end + one);
        }
    return ranges;
}

/// True if reading the trace reports any problem. libbabeltrace2 may end the program after an error.
bool isDamaged(const Trace& trace)
{
    MergedEvents events(trace);
    while (events.next())
        continue;
    return !trace.diagnostics().empty() || !events.diagnostics().empty();
}

QByteArray bytesOf(const fs::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// First difference between two lists of lines; empty if they are equal.
std::string differenceOf(const std::vector<std::string>& expected, const std::vector<std::string>& found)
{
    const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    if (a == expected.end() && b == found.end())
        return {};
    return std::to_string(expected.size()) + " and " + std::to_string(found.size()) + " events; at event " + std::to_string(a - expected.begin())
        + "\n  expected: " + (a == expected.end() ? "nothing" : *a) + "\n  found:    " + (b == found.end() ? "nothing" : *b);
}

std::string textOf(HostRange range) { return "[" + std::to_string(nanoseconds(range.begin)) + ", " + std::to_string(nanoseconds(range.end)) + ")"; }

/// Cuts the trace and compares the cut-out with the trace, by Heliograph's reader and by libbabeltrace2. Returns the first difference.
/// `refused` counts ranges for which no cut-out can be made.
std::string checkRange(const TraceSource& source, const Trace& trace, HostRange range, bool withBabeltrace, int& refused)
{
    const auto* cuttable = dynamic_cast<const CuttableTrace*>(&trace);
    if (!cuttable)
        return "the trace cannot be cut";
    const QTemporaryDir temporary;
    const fs::path folder = fs::path(temporary.path().toStdString()) / "cut";
    const auto written = cuttable->writeCutOut(range, folder, {});
    if (!written) {
        ++refused;
        qInfo("%s %s", textOf(range).c_str(), written.error().what.c_str());
        return written.error().kind == Error::Kind::Unsupported ? std::string() : written.error().what;
    }
    const auto expected = linesIn(trace, range);
    if (written->packets == 0)
        return expected.empty() ? std::string() : "no packets, but " + std::to_string(expected.size()) + " events";
    if (written->events != expected.size())
        return "reported " + std::to_string(written->events) + " of " + std::to_string(expected.size()) + " events";
    const auto sources = ctf::findTraces(folder);
    if (sources.size() != 1)
        return std::to_string(sources.size()) + " traces are found in the cut-out";
    const auto cut = openCtf(sources.front());
    if (!cut)
        return cut.error().what;
    const HostRange all{HostTimestamp::min(), HostTimestamp::max()};
    if (const std::string difference = differenceOf(expected, linesIn(**cut, all)); !difference.empty())
        return difference;
    for (const fs::path& part : sources.front().parts)
        if (const fs::path from = source.parts.size() == 1 ? source.parts.front() : source.path / part.lexically_relative(sources.front().path);
            source.parts.size() == 1 && bytesOf(part / "metadata") != bytesOf(from / "metadata"))
            return "the metadata differs";
    if (!withBabeltrace || !trace.info().hasTimes || isDamaged(trace))
        return {};
    std::string problem, cutProblem;
    const auto theirs = theirLinesIn(source.parts, range, problem);
    const auto theirCut = theirLinesIn(sources.front().parts, all, cutProblem);
    if (!problem.empty() || theirs.size() != expected.size())
        return {}; // libbabeltrace2 cannot read the original, or reads it in another way: duplicate packets twice.
    if (!cutProblem.empty())
        return "babeltrace2: " + cutProblem;
    const std::string difference = differenceOf(theirs, theirCut);
    return difference.empty() ? difference : "babeltrace2: " + difference;
}

/// Checks many ranges of all traces in a folder. Returns the first difference. Fails also if every range with a begin is refused.
std::string checkFolder(const fs::path& folder, std::size_t ranges, bool withBabeltrace, int& refused, int& checked)
{
    for (const TraceSource& source : ctf::findTraces(folder)) {
        const auto trace = openCtf(source);
        if (!trace)
            continue;
        for (const HostRange& range : rangesOf(**trace, ranges)) {
            const std::string difference = checkRange(source, **trace, range, withBabeltrace, refused);
            ++checked;
            if (!difference.empty())
                return source.path.string() + ' ' + textOf(range) + ": " + difference;
        }
    }
    return {};
}

} // namespace

/// Property: a cut-out contains exactly the events of its range, with all their bits, and its losses.
class CtfCutOutTest : public QObject {
    Q_OBJECT

private slots:
    void cutOutsOfGoldenTracesHaveTheEventsOfTheRange_data() { addGoldenRows(); }

    void cutOutsOfGoldenTracesHaveTheEventsOfTheRange()
    {
        QFETCH(QString, path);
        const QTemporaryDir folder;
        GoldenFile::read(path).unpackTo(folder.path().toStdString());
        int refused = 0, checked = 0;
        const std::string difference = checkFolder(folder.path().toStdString(), 60, true, refused, checked);
        QVERIFY2(difference.empty(), difference.c_str());
        qInfo("%d ranges, %d refused", checked, refused);
    }

    void cutOutsOfMadeTracesHaveTheEventsOfTheRange()
    {
        const QTemporaryDir folder;
        writeMadeCtf(folder.path());
        int refused = 0, checked = 0;
        const std::string difference = checkFolder(folder.path().toStdString(), 60, true, refused, checked);
        QVERIFY2(difference.empty(), difference.c_str());
        qInfo("%d ranges, %d refused", checked, refused);
    }

    void cutOutsOfRecordedTracesHaveTheEventsOfTheRange_data()
    {
        QTest::addColumn<QString>("collection");
        for (const QString& name : realTraceCollections())
            if (name != "big-kernel")
                QTest::newRow(qPrintable(name)) << name;
        QTest::newRow("cases-3") << QString();
    }

    void cutOutsOfRecordedTracesHaveTheEventsOfTheRange()
    {
        QFETCH(QString, collection);
        const QString path = collection.isEmpty() ? sharedFile("cases-3") : realTrace(collection);
        if (path.isEmpty())
            QSKIP("the recorded traces are not available");
        int refused = 0, checked = 0;
        const std::string difference = checkFolder(path.toStdString(), 10, true, refused, checked);
        QVERIFY2(difference.empty(), difference.c_str());
        qInfo("%d ranges, %d refused", checked, refused);
    }
};

HELIO_TEST(CtfCutOutTest)
#include "tst_ctf_cut_out.moc"
