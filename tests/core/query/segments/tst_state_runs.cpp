// Property: system calls, interrupts and softirqs found in stored states equal those of a second implementation on top of libbabeltrace2.

#include "core/latency/intervals/intervals.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/composite_states.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace helio;

namespace {

/// An interval: beginning and end in ns; then either TID and name of a system call, or CPU and number of an interrupt.
using Piece = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

/// Reference implementation: tracks the threads on CPUs from the switches, and collects the intervals event by event.
class Derived {
public:
    explicit Derived(const std::vector<std::filesystem::path>& folders)
    {
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
            if (kind == BabeltraceOracle::Kind::Event)
                take(oracle, oracle.name());
        problem = oracle.problem();
        // Removes intervals that end with the last event: without a following event, it is unknown whether they continued.
        std::erase_if(calls, [&](const Piece& it) { return std::get<1>(it) == m_last; });
    }

    std::multiset<Piece> calls, interrupts, soft;
    std::string problem;

private:
    void take(const BabeltraceOracle& event, std::string name)
    {
        m_last = event.time();
        if (name == "sched_switch")
            m_threads[event.cpu()] = event.payloadNumber("next_tid");
        else if (name == "sched_process_exit")
            m_open.erase(event.payloadNumber("tid"));
        else if (name.starts_with("syscall_entry_") && m_threads.contains(event.cpu()))
            m_open[m_threads[event.cpu()]] = {event.time(), name.substr(14)};
        else if (name.starts_with("syscall_exit_") && m_threads.contains(event.cpu()))
            end(event);
        else if (name.starts_with("irq_handler_"))
            takeHandler(event, name.ends_with("entry"), event.payloadNumber("irq"), interrupts);
        else if (name.starts_with("x86_irq_vectors_"))
            takeHandler(event, name.ends_with("entry"), event.payloadNumber("vector"), interrupts);
        else if (name == "irq_softirq_entry" || name == "irq_softirq_exit")
            takeHandler(event, name.ends_with("entry"), event.payloadNumber("vec"), soft);
    }
    void end(const BabeltraceOracle& event)
    {
        const auto open = m_open.find(m_threads[event.cpu()]);
        if (open == m_open.end())
            return;
        calls.insert({open->second.first, event.time(), open->first, open->second.second});
        m_open.erase(open);
    }
    void takeHandler(const BabeltraceOracle& event, bool isEntry, std::int64_t number, std::multiset<Piece>& all)
    {
        auto& open = m_handlers[{event.cpu(), number, &all}];
        if (isEntry)
            open = event.time();
        else if (open)
            all.insert({*open, event.time(), event.cpu(), std::to_string(number)});
        if (!isEntry)
            open.reset();
    }

    std::int64_t m_last = 0;
    std::map<std::int64_t, std::int64_t> m_threads; ///< TID of the current thread of each CPU.
    std::map<std::int64_t, std::pair<std::int64_t, std::string>> m_open; ///< Calls without an exit so far, by TID.
    std::map<std::tuple<std::int64_t, std::int64_t, const void*>, std::optional<std::int64_t>> m_handlers;
};

class Opened : public test::OpenedExperiment {
public:
    explicit Opened(const QString& path)
        : OpenedExperiment({path.toStdString()})
    {
    }

    std::vector<Piece> found(const char* id, TimeRange window, RunOrder order = RunOrder::ByBegin) const
    {
        const auto run = findCompositeState(*timeline, id);
        std::vector<Piece> all;
        if (!run)
            return all;
        CompositeStateNames names(*timeline, *run);
        const auto take = [&](const Row& row, TimeRange range, std::uint32_t value) {
            const std::string name = run->isOfCpu ? row.id.substr(row.id.rfind(':') + 1) : std::string(names.of(row, value));
            all.emplace_back(nanoseconds(range.begin), nanoseconds(range.end), run->isOfCpu ? row.cpu : row.tid, name);
        };
        forEachCompositeState(*timeline, *run, rowsWithComposite(*timeline, *run), window, take, {}, order);
        return all;
    }
};

QString words(const Piece& it)
{
    const auto& [begin, end, where, what] = it;
    return QString("%1 at %2 from %3 to %4").arg(what.c_str()).arg(where).arg(begin).arg(end);
}

/// Differences between found and derived intervals as text. If an event has only a system call's number, names are not compared.
QString difference(const std::vector<Piece>& found, std::multiset<Piece> derived)
{
    for (const Piece& it : found) {
        auto same = derived.find(it);
        if (same == derived.end())
            same = derived.find({std::get<0>(it), std::get<1>(it), std::get<2>(it), "unknown"});
        if (same == derived.end())
            return "not derived: " + words(it);
        derived.erase(same);
    }
    return derived.empty() ? QString() : "not found: " + words(*derived.begin());
}

constexpr TimeRange Ever{Timestamp::min(), Timestamp::max()};

} // namespace

class StateRunsTest : public QObject {
    Q_OBJECT

private slots:
    void intervalsEqualTheDerivedOnes_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("session");
        for (const char* fixture : {"two-hosts-small/web", "host-guest-small/host", "host-guest-small/guestA"})
            test::addRow(fixture, QString(), Fixtures + fixture);
        test::addRow("sample", QString(), QStringLiteral(SOURCE_DIR "/resources/samples/workers/kernel"));
        for (const char* session : {"plain", "ctx", "login"})
            test::addRow(session, "lttng-kernel", session);
        test::addRow("disks", "disks", QString());
        test::addRow("web", "two-hosts", "web");
    }
    void intervalsEqualTheDerivedOnes()
    {
        QFETCH(QString, collection);
        QFETCH(QString, session);
        const QString path = collection.isEmpty() ? session : realTrace(collection, session);
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace(collection, session)));
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.emplace_back(folder.toStdString());
        const Derived derived(folders);
        const Opened opened(path);
        QVERIFY2(!derived.calls.empty(), derived.problem.c_str());

        QCOMPARE(difference(opened.found("syscall", Ever), derived.calls), QString());
        QCOMPARE(difference(opened.found("irq", Ever), derived.interrupts), QString());
        QCOMPARE(difference(opened.found("softirq", Ever), derived.soft), QString());
    }

    /// Property: the result for a time range has exactly those intervals of the whole trace that lie in the time range, even if the time
    /// range begins within an interval.
    void windowHasIntervalsThatLieInIt()
    {
        const Opened opened(Fixtures + "two-hosts-small/web");
        const TimeRange all = opened.timeline->range;
        std::mt19937_64 random(5);
        std::uniform_int_distribution<std::int64_t> moment(nanoseconds(all.begin), nanoseconds(all.end));
        std::size_t count = 0;
        for (const char* id : {"syscall", "irq", "page-fault", "preemption"}) {
            const auto whole = opened.found(id, Ever);
            QVERIFY(std::ranges::is_sorted(whole, {}, [](const Piece& it) { return std::get<0>(it); }));
            for (int i = 0; i < 200; ++i) {
                // If `i` is even, the time range begins and ends exactly at the beginning or end of an interval.
                const auto edge = [&](bool isEnd) {
                    const Piece& it = whole[std::size_t(random() % whole.size())];
                    return isEnd ? std::get<1>(it) : std::get<0>(it);
                };
                const bool isExact = i % 2 == 0 && !whole.empty();
                const auto [begin, end] = isExact ? std::minmax({edge(false), edge(true)}) : std::minmax({moment(random), moment(random)});
                std::vector<Piece> expected;
                std::ranges::copy_if(whole, std::back_inserter(expected),
                                     [&, b = begin, e = end](const Piece& it) { return std::get<0>(it) >= b && std::get<1>(it) <= e; });
                const auto found = opened.found(id, {timestamp(begin), timestamp(end)});
                QVERIFY2(found == expected, qPrintable(QString("%1: %2 of %3").arg(id).arg(found.size()).arg(expected.size())));
                auto byRow = opened.found(id, {timestamp(begin), timestamp(end)}, RunOrder::ByRow);
                QVERIFY(std::ranges::is_permutation(byRow, expected));
                count += found.size();
            }
        }
        QVERIFY(count > 1000);
    }

    /// Property: sums computed on several threads equal sums computed on one.
    void parallelSumsEqualSerialSums_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("session");
        test::addRow("small", "", Fixtures + "two-hosts-small");
        test::addRow("big-kernel", "big-kernel", "");
    }
    void parallelSumsEqualSerialSums()
    {
        QFETCH(QString, collection);
        QFETCH(QString, session);
        const QString path = collection.isEmpty() ? session : realTrace(collection, session);
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace(collection, session)));
        const Opened opened(path);
        std::size_t names = 0;
        for (const char* id : {"syscall", "irq", "page-fault", "preemption"}) {
            DurationAggregator sums;
            forEachInterval(opened.timeline, {id}, [&](const NamedInterval& it) { sums.add(it.name, it.range); });
            const auto expected = sums.take();
            const auto found = durationStats(opened.timeline, {id});
            names += expected.size();
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                const auto key = [](const DurationStats& it) {
                    const DurationDistribution& s = it.lengths;
                    return std::tuple(it.name, s.count, s.total, s.least, s.median, s.p90, s.p99, s.most, it.leastAt, it.mostAt,
                                      s.byLength);
                };
                QVERIFY2(key(found[i]) == key(expected[i]), found[i].name.c_str());
            }
        }
        QVERIFY(names > 10);
    }
};

HELIO_TEST(StateRunsTest)

#include "tst_state_runs.moc"
