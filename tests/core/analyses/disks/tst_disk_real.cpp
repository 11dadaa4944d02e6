// Compares requests of recorded disks with libbabeltrace2's events, and with the reference numbers kept beside the recording.

#include "core/trace/trace.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/indexed.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

using FieldTexts = std::map<QString, QString>;

/// A request: its times, disk and sectors, and "tid, comm, cpu..." as text.
struct Found {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    QString disk; ///< Device number MAJ,MIN.
    QString what;
    std::int64_t sectors = 0;
    std::int64_t bytes = 0;
    std::int64_t queued = -1;
    QString rest;

    auto key() const { return std::tie(begin, end, disk, what, sectors, bytes, queued, rest); }
    QString text() const
    {
        return QString("%1-%2 %3 %4 %5 %6 %7 %8").arg(begin).arg(end).arg(disk, what).arg(sectors).arg(bytes).arg(queued).arg(rest);
    }
};

QString numbersOf(const FieldTexts& fields)
{
    const std::uint64_t device = fields.at("dev").toULongLong();
    return QString("%1,%2").arg(device / 1048576).arg(device % 1048576);
}

QString nameOf(int rwbs) { return rwbs % 2 == 1 ? "write" : (rwbs & 12) != 0 ? "read" : (rwbs & 0x500) != 0 ? "flush" : "other"; }

/// Reference pairing of events by the simplest rules: a completion belongs to the latest issue at its disk and sector; flushes, which
/// have no sector, complete in order. Valid for recordings without merges and losses, with at most one request at a sector at any time.
class Expectation {
public:
    explicit Expectation(const QString& path)
    {
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.push_back(folder.toStdString());
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
            const QString name = kind == BabeltraceOracle::Kind::Event ? oracle.name() : "";
            if (!name.startsWith("block_rq_"))
                continue;
            FieldTexts fields;
            for (const QString& line : QString::fromStdString(oracle.payloadText()).split(' ', Qt::SkipEmptyParts))
                fields[line.section('=', 0, 0)] = line.section('=', 1).remove('"');
            take(name, oracle.time(), oracle.cpu(), fields);
        }
    }

    std::vector<Found> found;

private:
    struct Began {
        std::int64_t at = 0;
        FieldTexts fields;
    };

    void take(const QString& event, std::int64_t at, std::int64_t cpu, const FieldTexts& fields)
    {
        const std::pair key(fields.at("dev"), fields.at("nr_sector") == "0" ? QString("none") : fields.at("sector"));
        if (event == "block_rq_insert")
            m_inserted[key] = {at, fields};
        else if (event == "block_rq_issue" && key.second == "none")
            m_flushes[key.first].push_back({at, fields});
        else if (event == "block_rq_issue")
            m_issued[key] = {at, fields};
        else if (event == "block_rq_complete" && key.second != "none")
            complete(key, at, cpu, fields);
        else if (event == "block_rq_complete" && fields.at("sector") == "18446744073709551615")
            completeFlush(key.first, at, cpu);
    }

    void complete(const std::pair<QString, QString>& key, std::int64_t at, std::int64_t cpu, const FieldTexts& fields)
    {
        if (!m_issued.contains(key))
            return;
        const Began issued = m_issued.extract(key).mapped();
        Q_ASSERT(issued.fields.at("nr_sector") == fields.at("nr_sector"));
        const auto inserted = m_inserted.extract(key);
        add(issued, inserted.empty() ? nullptr : &inserted.mapped(), at, cpu);
    }
    void completeFlush(const QString& device, std::int64_t at, std::int64_t cpu)
    {
        auto& flushes = m_flushes[device];
        if (flushes.empty())
            return;
        add(flushes.front(), nullptr, at, cpu);
        flushes.erase(flushes.begin());
    }
    void add(const Began& issued, const Began* inserted, std::int64_t at, std::int64_t cpu)
    {
        const FieldTexts& doer = inserted ? inserted->fields : issued.fields;
        found.push_back({issued.at, at, numbersOf(issued.fields), nameOf(issued.fields.at("rwbs").toInt()),
                         issued.fields.at("nr_sector").toLongLong(), issued.fields.at("bytes").toLongLong(),
                         inserted ? issued.at - inserted->at : -1,
                         QString("%1 %2 %3 %4").arg(issued.fields.at("sector"), doer.at("tid"), doer.at("comm")).arg(cpu)});
    }

    std::map<std::pair<QString, QString>, Began> m_inserted, m_issued;
    std::map<QString, std::vector<Began>> m_flushes;
};

/// Store of the disk analysis for the trace at `path`; nullptr if there is none.
std::shared_ptr<const Store> disksOf(const QString& path)
{
    const AnalysisKind& kind = analysisOf("disks");
    for (const TraceFormat* format : builtinTraceFormats())
        for (const TraceSource& source : format->find(path.toStdString()))
            if (const auto trace = format->open(source); trace && kind.appliesTo(**trace))
                if (const auto made = indexed(**trace, {&kind}))
                    return made->stores.front();
    return nullptr;
}

std::vector<Found> requestsOf(const Store& store)
{
    std::vector<Found> all;
    store.segments().visit(SegmentKindId{0}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
        for (const HostSegment& it : some) {
            FieldTexts fields;
            const std::string_view text = store.text(StringId{static_cast<std::uint32_t>(it.value)});
            for (const QString& field : QString::fromUtf8(text.data(), qsizetype(text.size())).split(';'))
                fields[field.section('=', 0, 0)] = field.section('=', 1);
            const auto of = [&](const char* key) { return fields.contains(key) ? fields.at(key) : QString(); };
            const QString row = QString::fromStdString(store.tracks()[static_cast<std::size_t>(it.track)].key);
            all.push_back({nanoseconds(it.begin), nanoseconds(it.end), row.section(':', 1, 1).section('/', 0, 0),
                           QString::fromStdString(std::string(store.text(it.name))), of("nr_sector").toLongLong(), of("bytes").toLongLong(),
                           of("queued_ns").isEmpty() ? -1 : of("queued_ns").toLongLong(),
                           QString("%1 %2 %3 %4").arg(of("sector"), of("tid"), of("comm"), of("cpu"))});
        }
    });
    return all;
}

std::vector<Found> sorted(std::vector<Found> some)
{
    std::ranges::sort(some, [](const Found& a, const Found& b) { return a.key() < b.key(); });
    return some;
}

} // namespace

class DiskRealTest : public QObject {
    Q_OBJECT

private slots:
    void allRequestsAreThoseOfTheEvents_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<int>("requests");
        test::addRow("disks", "disks", "disks", 6097);
        test::addRow("plain", "lttng-kernel", "plain", 99);
        test::addRow("ctx", "lttng-kernel", "ctx", 88);
        test::addRow("big-kernel", "big-kernel", "", 164);
    }
    void allRequestsAreThoseOfTheEvents()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(int, requests);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto store = disksOf(path);
        QVERIFY(store);
        const auto found = sorted(requestsOf(*store));
        const auto expected = sorted(Expectation(path).found);
        for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
            QCOMPARE(found[i].text(), expected[i].text());
        QCOMPARE(found.size(), expected.size());
        QCOMPARE(int(found.size()), requests);
    }

    /// Property: the requests are also shown as states on rows. The total time of these states equals the total duration of the requests.
    void rowsAreAsLongBusy()
    {
        HELIO_REQUIRE_TRACE(path, "disks", "disks");
        const auto store = disksOf(path);
        std::map<QString, std::int64_t> served, queued, busy, waiting;
        for (const Found& it : requestsOf(*store)) {
            served[it.disk + it.what] += it.end - it.begin;
            queued[it.disk + it.what] += std::max(it.queued, std::int64_t(0));
        }
        for (std::size_t i = 0; i < store->tracks().size(); ++i) {
            const Track& track = store->tracks()[i];
            if (track.view.empty())
                // Skips the tracks of queue times: the rows of the waiting requests already contain these times.
                continue;
            const QString key = QString::fromStdString(track.key);
            auto& times = key.contains("queue:driver/slot:") ? busy : waiting;
            const auto& states = store->stateSets()[std::size_t(track.states)].states;
            for (const StateTotal& it : store->totals(TrackId(std::uint32_t(i)), store->summary().range))
                times[key.section(':', 1, 1).section('/', 0, 0) + QString::fromStdString(states[std::size_t(it.state)].name)] +=
                    it.total.count();
        }
        std::erase_if(queued, [](const auto& it) { return it.second == 0; });
        QCOMPARE(busy, served);
        QCOMPARE(waiting, queued);
    }

    /// Expected values from the collection's truth file, without flushes: number of issues, bytes | number of insertions, mean and
    /// longest time in the queue in ms | mean and longest time in the driver in ms.
    void disksTakeAsLongAsTheTruthSays_data()
    {
        QTest::addColumn<QString>("disk");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* disk, const char* expected) { QTest::newRow(name) << disk << expected; };
        row("vda", "254,0", "41 262144 | 16 0.467 0.534 | 1.648 2.302");
        row("vdb", "254,16", "3591 45963264 | 3063 0.106 5.732 | 1.116 19.803");
        row("vdc", "254,32", "111 3829760 | 111 0.126 2.546 | 4.161 14.659");
        row("vdd", "254,48", "126 4288512 | 126 0.203 6.516 | 2.894 14.442");
        row("vde", "254,64", "52 1687552 | 52 0.156 1.898 | 59.717 159.095");
        row("vdf", "254,80", "444 15147008 | 444 0.078 4.181 | 3.595 11.132");
        row("vdg", "254,96", "122 4567040 | 122 0.122 1.914 | 3.522 18.553");
        row("vdh", "254,112", "52 1880064 | 52 0.169 2.421 | 94.394 318.199");
        row("vdi", "254,128", "109 3579904 | 109 0.179 6.215 | 3.633 15.065");
        row("vdj", "254,144", "140 4898816 | 140 0.064 0.132 | 17.019 58.401");
        row("vdk", "254,160", "137 4743168 | 137 0.141 5.319 | 3.003 11.492");
        row("vdl", "254,176", "109 3768320 | 109 0.151 4.848 | 3.364 14.305");
    }
    void disksTakeAsLongAsTheTruthSays()
    {
        QFETCH(QString, disk);
        QFETCH(QString, expected);
        HELIO_REQUIRE_TRACE(path, "disks", "disks");
        static const auto requests = requestsOf(*disksOf(path));
        std::int64_t count = 0, bytes = 0, inserted = 0, queued = 0, longestQueued = 0, served = 0, longestServed = 0;
        for (const Found& it : requests) {
            if (it.disk != disk || it.sectors == 0)
                continue;
            ++count;
            bytes += it.bytes;
            inserted += it.queued >= 0 ? 1 : 0;
            queued += std::max(it.queued, std::int64_t(0));
            longestQueued = std::max(longestQueued, it.queued);
            served += it.end - it.begin;
            longestServed = std::max(longestServed, it.end - it.begin);
        }
        const auto inMs = [](double ns) { return QString::number(ns / 1e6, 'f', 3); };
        QCOMPARE(QString("%1 %2 | %3 %4 %5 | %6 %7")
                     .arg(count)
                     .arg(bytes)
                     .arg(inserted)
                     .arg(inMs(double(queued) / double(inserted)), inMs(double(longestQueued)), inMs(double(served) / double(count)),
                          inMs(double(longestServed))),
                 expected);
    }

    /// Input: a recording with losses. Property: for each request in the store, the events contain its issue and its completion, without a
    /// loss in between.
    void lossesMakeNoRequestLonger()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "lossy");
        const auto store = disksOf(path);
        QVERIFY(store);
        const auto requests = requestsOf(*store);
        QVERIFY(requests.size() > 10);
        const auto expected = sorted(Expectation(path).found);
        for (const Found& it : requests) {
            QVERIFY2(std::ranges::find(expected, it.text(), &Found::text) != expected.end(), qPrintable(it.text()));
            for (const Loss& loss : store->losses())
                QVERIFY(it.end <= nanoseconds(loss.range.begin) || nanoseconds(loss.range.begin) < it.begin);
        }
    }
};

HELIO_TEST(DiskRealTest)

#include "tst_disk_real.moc"
