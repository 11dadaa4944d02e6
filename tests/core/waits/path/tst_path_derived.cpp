// Property: critical paths and waits of threads in recorded kernel traces equal those of a second implementation on top of
// libbabeltrace2.

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"
#include "core/waits/path/wait_causes.h"
#include "derived_path.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::test::append;
using helio::test::DerivedPath;
using helio::test::DerivedSegment;
using helio::test::DerivedThreads;

namespace {

std::string classOf(PathKind kind)
{
    switch (kind) {
    case PathKind::Running:
    case PathKind::Interrupted:
    case PathKind::PageFault:
    case PathKind::Stolen: return "on CPU";
    case PathKind::WaitCpu:
    case PathKind::Preempted:
    case PathKind::Throttled: return "queued";
    default: return std::string(wordOf(kind));
    }
}

std::vector<DerivedSegment> reduced(const Timeline& timeline, const CriticalPath& path)
{
    std::map<TrackRef, Row> rows;
    std::vector<DerivedSegment> list;
    for (const PathSegment& it : path.segments) {
        Row& row = rows[it.row];
        if (row.id.empty())
            row = rowOf(timeline, it.row).value_or(Row());
        append(list, {nanoseconds(it.range.begin), nanoseconds(it.range.end), row.trace, row.tid, classOf(it.kind)});
    }
    return list;
}

bool hasNetwork(const std::vector<DerivedSegment>& path)
{
    return std::ranges::find(path, wordOf(PathKind::Network), &DerivedSegment::what) != path.end();
}

QString words(const std::vector<DerivedSegment>& list, std::size_t at)
{
    if (at >= list.size())
        return "nothing";
    const DerivedSegment& it = list[at];
    return QString("%1 of %2/%3 from %4 to %5").arg(it.what.c_str()).arg(it.trace).arg(it.tid).arg(it.begin).arg(it.end);
}

/// Text of the first difference between two paths; empty if they are equal.
QString difference(const std::vector<DerivedSegment>& found, const std::vector<DerivedSegment>& derived)
{
    std::size_t at = 0;
    while (at < found.size() && at < derived.size() && found[at] == derived[at])
        ++at;
    if (at == found.size() && at == derived.size())
        return {};
    return QString("stretch %1 of %2: %3, derived (of %4): %5")
        .arg(at)
        .arg(found.size())
        .arg(words(found, at))
        .arg(derived.size())
        .arg(words(derived, at));
}

std::vector<std::filesystem::path> foldersOf(const Trace& trace)
{
    std::vector<std::filesystem::path> folders;
    for (const QString& folder : ctfFolders(QString::fromStdString(trace.info().path.string())))
        folders.emplace_back(folder.toStdString());
    return folders;
}

/// End and kind of each wait by its beginning in ns: "1500 disk". The text "ended by a thread or packet" replaces the kind if a thread or a
/// packet ended the wait.
using Waits = std::map<std::int64_t, std::string>;

std::string waitText(std::int64_t end, PathKind kind, bool hasKind)
{
    return std::to_string(end) + (hasKind ? " " + std::string(wordOf(kind)) : " ended by a thread or packet");
}

/// Expected waits that began and ended in the trace.
Waits derivedWaits(const test::DerivedThread& thread, TimeRange life)
{
    Waits waits;
    for (std::size_t i = 0; i + 1 < thread.parts.size(); ++i) {
        const test::DerivedActivity& part = thread.parts[i];
        const test::DerivedActivity& next = thread.parts[i + 1];
        const bool isWhole = part.begin > nanoseconds(life.begin) && next.begin < nanoseconds(life.end);
        if (part.doing == test::Doing::Waiting && isWhole && (next.doing == test::Doing::OnCpu || next.doing == test::Doing::Queued))
            waits[part.begin] = waitText(next.begin, part.kind, part.waker == 0 && part.packet.key.empty());
    }
    return waits;
}

Waits foundWaits(const Timeline& timeline, const Row& row, const Waits& derived)
{
    Waits waits;
    eachWait(timeline, {&row, 1}, row.life, [&](const Row&, const Interval& wait, const WaitCause& cause) {
        const std::int64_t begin = nanoseconds(wait.range.begin);
        if (wait.range.begin <= row.life.begin)
            return;
        // If a thread or a packet ended both the expected wait and the found wait, only the ends of the waits are compared, not their
        // kinds. The test computes a valid kind only for waits with another cause.
        const auto expected = derived.find(begin);
        const bool isOfThread = expected != derived.end() && expected->second.ends_with("packet") && (cause.waking || cause.message);
        waits[begin] = waitText(nanoseconds(wait.range.end), cause.kind, !isOfThread);
    });
    return waits;
}

} // namespace

class PathDerivedTest : public QObject {
    Q_OBJECT
private slots:
    void eachThreadsPathIsTheDerivedOne_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QStringList>("sessions");
        for (const char* session : {"plain", "ctx", "split", "login", "workers"})
            QTest::newRow(session) << "lttng-kernel" << QStringList{session};
        QTest::newRow("mpi") << "mpi-imbalance" << QStringList{"mpi-imbalance/kernel"};
        QTest::newRow("disks") << "disks" << QStringList{QString()};
        QTest::newRow("hypervisor") << "host-guest" << QStringList{"host"};
        QTest::newRow("guest") << "host-guest" << QStringList{"guestA"};
        QTest::newRow("hosts") << "two-hosts" << QStringList{"client", "web", "db"};
    }
    void eachThreadsPathIsTheDerivedOne()
    {
        QFETCH(QString, collection);
        QFETCH(QStringList, sessions);
        std::vector<std::filesystem::path> paths;
        for (const QString& session : sessions) {
            HELIO_REQUIRE_TRACE(path, collection, session);
            paths.push_back(path.toStdString());
        }
        const test::OpenedExperiment opened(paths);
        const Timeline& timeline = *opened.timeline;
        std::deque<DerivedThreads> derived;
        for (const TimelineTrace& it : timeline.traces)
            derived.emplace_back(foldersOf(*it.trace), it.clock);
        QStringList differences;
        std::size_t segments = 0, compared = 0, waits = 0;
        for (const Row& row : threads(timeline)) {
            if (!derived[row.trace].all.contains(row.tid))
                continue;
            const Waits expectedWaits = derivedWaits(derived[row.trace].all.at(row.tid), row.life);
            const Waits hadWaits = foundWaits(timeline, row, expectedWaits);
            for (const auto& [begin, text] : expectedWaits)
                if (const auto it = hadWaits.find(begin); it == hadWaits.end() || it->second != text)
                    differences += QString("%1/%2 wait %3: %4, derived %5")
                                       .arg(row.trace)
                                       .arg(row.id.c_str())
                                       .arg(begin)
                                       .arg(it == hadWaits.end() ? "none" : it->second.c_str(), text.c_str());
            waits += expectedWaits.size();
            const auto found = reduced(timeline, criticalPath(timeline, row.ref, row.life));
            const auto expected = DerivedPath(derived).of(row.trace, row.tid, nanoseconds(row.life.begin), nanoseconds(row.life.end));
            if (timeline.hosts.size() > 1 && (hasNetwork(found) || hasNetwork(expected)))
                continue; // Not compared: if several packets arrive together, these events do not tell which one woke the thread.
            const QString differs = difference(found, expected);
            if (!differs.isEmpty())
                differences += QString("%1/%2 %3: %4").arg(row.trace).arg(row.id.c_str(), row.label.c_str(), differs);
            segments += found.size();
            ++compared;
        }
        qInfo("%zu threads, %zu stretches, %zu waits, %d differ", compared, segments, waits, int(differences.size()));
        QVERIFY2(differences.isEmpty(), qPrintable(differences.join('\n')));
    }
};

HELIO_TEST(PathDerivedTest)
#include "tst_path_derived.moc"
