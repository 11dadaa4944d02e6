// Compares waits for locks in recordings with waits that the test computes from the recorded events. For one recording, also compares the
// total with the output of perf lock contention.

#include "core/analysis/analyses.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/indexed.h"
#include "tests/support/open_trace.h"
#include "tests/support/perf_samples.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

/// Text of a wait: "10-20 tid 7 0xffff888100044880"
std::string wait(std::int64_t begin, std::int64_t end, std::int32_t tid, std::uint64_t lock)
{
    return std::to_string(begin) + '-' + std::to_string(end) + " tid " + std::to_string(tid) + " 0x"
        + QString::number(lock, 16).toStdString();
}

/// All segments of a kind as text, in the format of wait().
std::multiset<std::string> segmentsOf(const Store& store, std::string_view kind)
{
    std::multiset<std::string> all;
    for (std::uint32_t i = 0; i < store.segments().kinds().size(); ++i)
        if (store.segments().kinds()[i].id == kind)
            store.segments().visit(SegmentKindId(i), {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
                for (const HostSegment& it : some) {
                    const QString name = QString::fromStdString(std::string(store.text(it.name)));
                    all.insert(wait(nanoseconds(it.begin), nanoseconds(it.end), store.tracks()[std::size_t(it.track)].tid,
                                    name.section(' ', 0, 0).toULongLong(nullptr, 16)));
                }
            });
    return all;
}

std::shared_ptr<const Store> locksOf(const Trace& trace) { return indexed(trace, {&analysisOf("locks")})->stores.front(); }

} // namespace

class LocksRealTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: number and total duration of waits equal perf lock contention's; each wait pairs the start and end events of one thread
    /// and lock.
    void contentionIsWhatPerfCounts()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf");
        const auto trace = openPerfData((path + "/data/perflock-contention.data").toStdString());
        QVERIFY(trace);
        std::map<std::pair<std::int32_t, std::uint64_t>, std::int64_t> waiting;
        std::multiset<std::string> expected;
        for (const PrintedSample& it : readSamples(*trace)) {
            const auto field = std::ranges::find(it.fields, "lock_addr", &std::pair<std::string, std::string>::first);
            QVERIFY(field != it.fields.end());
            const auto lock = QString::fromStdString(field->second).toULongLong(nullptr, 0);
            if (it.event == "lock:contention_begin")
                waiting.try_emplace({it.tid, lock}, it.time);
            else if (const auto begin = waiting.extract({it.tid, lock}); !begin.empty())
                expected.insert(wait(begin.mapped(), it.time, it.tid, lock));
        }
        const auto store = locksOf(*trace);
        const auto found = segmentsOf(*store, "lock");
        QCOMPARE(QStringList(), [&] {
            QStringList different;
            for (const std::string& it : expected)
                if (found.count(it) != expected.count(it))
                    different << it.c_str();
            return different;
        }());
        QCOMPARE(found.size(), expected.size());

        QFile table(path + "/text/perflock-contention.txt");
        QVERIFY(table.open(QIODevice::ReadOnly));
        int contended = 0;
        double inMs = 0;
        for (const QByteArray& line : table.readAll().split('\n')) {
            const QList<QByteArray> words = line.simplified().split(' ');
            if (words.size() < 9 || words[0] == "contended")
                continue;
            contended += words[0].toInt();
            inMs += words[1].toDouble() * (words[2] == "ms" ? 1 : words[2] == "us" ? 1e-3 : 1e-6);
        }
        std::int64_t total = 0;
        store->segments().visit(SegmentKindId{0}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                total += it.length().count();
        });
        QCOMPARE(int(found.size()), contended);
        QVERIFY2(std::abs(double(total) / 1e6 - inMs) < 0.1, qPrintable(QString("%1 ms, of %2 ms").arg(double(total) / 1e6).arg(inMs)));
    }

    /// Reference pairing: a request belongs to the following acquisition of its thread, and an acquisition to the release or to the next
    /// thread's acquisition, whichever is first.
    void mutexesAreThoseOfTheEvents()
    {
        HELIO_REQUIRE_TRACE(path, "ust-callstack", "libc-pthread/ust");
        std::map<std::pair<int, std::uint64_t>, std::int64_t> requested, held;
        std::multiset<std::string> waits, holds;
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.push_back(folder.toStdString());
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
            const QString name = kind == BabeltraceOracle::Kind::Event ? oracle.name() : "";
            if (!name.startsWith("lttng_ust_pthread:pthread_mutex_"))
                continue;
            std::map<QString, QString> fields;
            for (const std::string& text : {oracle.payloadText(), oracle.contextText()})
                for (const QString& line : QString::fromStdString(text).split(' ', Qt::SkipEmptyParts))
                    fields[line.section('=', 0, 0)] = line.section('=', 1);
            QVERIFY(fields.contains("mutex") && fields.contains("vtid"));
            const std::uint64_t mutex = fields["mutex"].toULongLong(nullptr, 0);
            const std::pair key(fields["vtid"].toInt(), mutex);
            if (name.endsWith("lock_req")) {
                requested.try_emplace(key, oracle.time());
            } else if (name.endsWith("lock_acq") || (name.endsWith("trylock") && fields["status"] == "0")) {
                if (const auto request = requested.extract(key); !request.empty())
                    waits.insert(wait(request.mapped(), oracle.time(), key.first, mutex));
                // The mutex has a new owner. Earlier holds of this mutex therefore end here, even if no unlock was recorded.
                for (const auto& [owner, since] : held)
                    if (owner.second == mutex)
                        holds.insert(wait(since, oracle.time(), owner.first, mutex));
                std::erase_if(held, [&](const auto& it) { return it.first.second == mutex; });
                held[key] = oracle.time();
            } else if (const auto hold = held.extract(key); name.endsWith("unlock") && !hold.empty()) {
                holds.insert(wait(hold.mapped(), oracle.time(), key.first, mutex));
            }
        }
        QVERIFY(waits.size() > 50 && holds.size() > 50);
        const TraceFormat* const ctf = &formatNamed("ctf");
        for (const TraceSource& source : ctf->find(path.toStdString())) {
            const auto trace = ctf->open(source);
            QVERIFY(trace);
            const auto store = locksOf(**trace);
            QCOMPARE(segmentsOf(*store, "lock"), waits);
            QCOMPARE(segmentsOf(*store, "lock-hold"), holds);
        }
    }
};

HELIO_TEST(LocksRealTest)

#include "tst_locks_real.moc"
