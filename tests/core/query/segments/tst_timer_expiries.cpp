// Property: the lateness of timer handlers equals that of a second implementation on top of libbabeltrace2.

#include "core/latency/intervals/intervals.h"
#include "core/latency/pairs/timer_expiries.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace helio;

namespace {

/// A timer's handler: time at which the handler should have begun and time at which it began, in ns on the trace's clock; CPU; and
/// address of the handler.
using Late = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint64_t>;

std::string fieldText(const std::string& payload, const std::string& field)
{
    const std::string text = ' ' + payload, key = ' ' + field + '=';
    const auto at = text.find(key);
    const auto begin = at + key.size();
    return at == std::string::npos ? std::string() : text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

std::int64_t number(const std::string& payload, const std::string& field)
{
    return std::int64_t(std::strtoull(fieldText(payload, field).c_str(), nullptr, 0));
}
std::int64_t signedNumber(const std::string& payload, const std::string& field)
{
    return std::strtoll(fieldText(payload, field).c_str(), nullptr, 0);
}

struct Derived {
    std::multiset<Late> all;
    int early = 0; ///< Number of timers that expired before their time.
    /// Number of handlers that were not the first of their interrupt: the kernel read the timer's clock only once for all of them.
    int afterOthers = 0;
    int otherClock = 0; ///< Number of timers with another clock than the trace's.
};

/// Computes the expected lateness. `offset`: offset in ns of the trace's clock, to be subtracted from a recorded time; nullopt if timers
/// have another clock than the trace.
Derived derivedOf(const std::vector<std::filesystem::path>& folders, std::optional<std::int64_t> offset)
{
    Derived derived;
    std::map<std::int64_t, std::int64_t> expires; // Expiry time of each timer.
    // For each CPU: the last reading of the timer's clock (`now`), and the trace's time at which the first handler with this reading began.
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> first;
    BabeltraceOracle oracle(folders);
    for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
        const std::string name = kind == BabeltraceOracle::Kind::Event ? oracle.name() : "";
        if (!name.starts_with("timer_hrtimer_"))
            continue;
        const std::string payload = oracle.payloadText();
        const std::int64_t timer = number(payload, "hrtimer"), at = oracle.time();
        if (name == "timer_hrtimer_start")
            expires[timer] = signedNumber(payload, "expires");
        if (name != "timer_hrtimer_expire_entry")
            continue;
        const std::int64_t now = signedNumber(payload, "now");
        auto& run = first[oracle.cpu()];
        if (run.first == now)
            ++derived.afterOthers;
        else
            run = {now, at};
        if (!expires.contains(timer))
            continue;
        const std::int64_t late = now - expires.extract(timer).mapped();
        derived.early += late < 0;
        const bool isMonotonic = offset && std::abs(at - *offset - now) < 1'000'000'000;
        derived.otherClock += !isMonotonic;
        derived.all.emplace(late < 0          ? at
                                : isMonotonic ? at - (at - *offset - (now - late))
                                              : run.second - late,
                            at, oracle.cpu(), std::uint64_t(number(payload, "function")));
    }
    return derived;
}

std::multiset<Late> foundIn(const std::shared_ptr<const Timeline>& timeline, TimeRange window = {Timestamp::min(), Timestamp::max()})
{
    std::multiset<Late> all;
    forEachTimerExpiry(timeline, window, [&](const TimerExpiry& it) {
        all.emplace(nanoseconds(it.range.begin), nanoseconds(it.range.end), it.cpu, it.function);
    });
    return all;
}

std::vector<std::filesystem::path> foldersIn(const QString& path)
{
    std::vector<std::filesystem::path> folders;
    for (const QString& folder : ctfFolders(path))
        folders.emplace_back(folder.toStdString());
    return folders;
}

std::int64_t offsetOf(const test::OpenedExperiment& opened) { return opened.timeline->traces.front().trace->info().clock.offset; }

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

} // namespace

class TimerExpiriesTest : public QObject {
    Q_OBJECT

private slots:
    void expiriesEqualTheDerivedOnes_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("session");
        // True if the trace has timers that expired early, and handlers that ran late because other handlers ran before them.
        QTest::addColumn<bool>("hasAllKinds");
        QTest::newRow("kernel-small") << QString() << Fixtures + "kernel-small" << false;
        QTest::newRow("workers") << "lttng-kernel"
                                 << "workers" << false;
        for (const char* session : {"plain", "ctx"})
            QTest::newRow(session) << "lttng-kernel" << session << true;
        QTest::newRow("disks") << "disks" << QString() << true;
    }
    void expiriesEqualTheDerivedOnes()
    {
        QFETCH(QString, collection);
        QFETCH(QString, session);
        QString path = session;
        if (!collection.isEmpty()) {
            HELIO_REQUIRE_TRACE(real, collection, session);
            path = real;
        }
        const test::OpenedExperiment opened({path.toStdString()});
        QVERIFY(hasTimerExpiries(*opened.timeline));
        const Derived derived = derivedOf(foldersIn(path), offsetOf(opened));
        QVERIFY(derived.all.size() > 100);
        QFETCH(bool, hasAllKinds);
        QVERIFY(!hasAllKinds || (derived.early > 0 && derived.afterOthers > 0));
        QCOMPARE(foundIn(opened.timeline), derived.all);

        const TimeRange all = opened.timeline->range;
        const TimeRange middle{all.begin + all.duration() / 3, all.end - all.duration() / 3};
        std::multiset<Late> inside;
        std::ranges::copy_if(derived.all, std::inserter(inside, inside.end()), [&](const Late& it) {
            return std::get<0>(it) >= nanoseconds(middle.begin) && std::get<1>(it) <= nanoseconds(middle.end);
        });
        QVERIFY(!inside.empty() && inside.size() < derived.all.size());
        QCOMPARE(foundIn(opened.timeline, middle), inside);
    }

    /// Input: a trace whose clock differs from the timers' clock. Property: a handler's lateness includes the time of earlier
    /// handlers of the same interrupt. It does not include the time between the kernel's reading of the timers' clock and the first
    /// handler, which is unknown.
    void ofATraceOfAnotherClockTheyAreTheDerivedOnesToo_data()
    {
        QTest::addColumn<QString>("session");
        QTest::newRow("kernel-small") << QString();
        QTest::newRow("plain") << "plain"; // In the trace "plain", some handlers ran after another handler of the same interrupt.
    }
    void ofATraceOfAnotherClockTheyAreTheDerivedOnesToo()
    {
        QFETCH(QString, session);
        QString path = Fixtures + "kernel-small";
        if (!session.isEmpty()) {
            HELIO_REQUIRE_TRACE(real, "lttng-kernel", session);
            path = real;
        }
        const QTemporaryDir folder;
        const std::filesystem::path copy = std::filesystem::path(folder.path().toStdString()) / "kernel";
        std::filesystem::copy(foldersIn(path).front(), copy, std::filesystem::copy_options::recursive);
        QFile metadata(QString::fromStdString(copy / "metadata"));
        QVERIFY(metadata.open(QIODevice::ReadWrite));
        QByteArray text = metadata.readAll();
        QVERIFY(text.contains("monotonic"));
        QVERIFY(metadata.seek(0) && metadata.write(text.replace("monotonic", "othertime")) == text.size());
        metadata.close();
        const test::OpenedExperiment opened({copy});
        const Derived derived = derivedOf({copy}, std::nullopt);
        QVERIFY(derived.all.size() > 100 && (session.isEmpty() || derived.afterOthers > 0));
        QCOMPARE(foundIn(opened.timeline), derived.all);
    }

    /// Property: a timer that was set before lost events is excluded, because it may have been set again meanwhile.
    void timersAcrossLossesAreLeftOut()
    {
        const QString path = Fixtures + "lossy-small";
        const test::OpenedExperiment opened({path.toStdString()});
        const Derived derived = derivedOf(foldersIn(path), offsetOf(opened));
        const auto found = foundIn(opened.timeline);
        QVERIFY(found.size() < derived.all.size());
        QVERIFY(std::ranges::includes(derived.all, found));
    }

    void asPiecesTheyAreOnTheirCpus()
    {
        const test::OpenedExperiment opened({(Fixtures + "kernel-small").toStdString()});
        const auto kinds = intervalKinds(opened.timeline);
        QVERIFY(std::ranges::find(kinds, std::string(TimerKind), &IntervalKind::id) != kinds.end());
        std::map<TrackRef, std::int64_t> cpuOf;
        for (const Row& row : cpus(*opened.timeline))
            cpuOf[row.ref] = row.cpu;
        std::multiset<Late> pieces;
        Timestamp last = Timestamp::min();
        forEachInterval(opened.timeline, {std::string(TimerKind)}, [&](const NamedInterval& it) {
            QVERIFY(it.range.begin >= last);
            last = it.range.begin;
            pieces.emplace(nanoseconds(it.range.begin), nanoseconds(it.range.end), cpuOf.at(it.row),
                           std::strtoull(std::string(it.name).c_str(), nullptr, 16));
        });
        QCOMPARE(pieces, foundIn(opened.timeline));
    }
};

HELIO_TEST(TimerExpiriesTest)
#include "tst_timer_expiries.moc"
