// Compares an XML analysis with its C++ counterpart: states of threads, and threads on CPUs, from
// tests/core/xml_analysis/fixtures/thread-states.xml and from the built-in kernel analysis. Both must give the same histories of recorded
// traces.
//
// The comparison covers the whole trace, all CPUs, and all threads except the idle threads (of which each CPU has one). The built-in
// analysis has more detailed states: they are reduced to "runs", "could run" and "could not", and consecutive states with the same word
// count as one. Before the first event of a thread, the built-in analysis reports "unknown" where the XML analysis has no value; no other
// state is ignored. The traces have no lost events, so nothing else is unknown.

#include "core/store/any_value.h"
#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

struct StateSpan {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::string what;
    bool operator==(const StateSpan&) const = default;
};
using History = std::vector<StateSpan>;

void add(History& history, StateSpan span)
{
    if (!history.empty() && history.back().end == span.begin && history.back().what == span.what)
        history.back().end = span.end;
    else
        history.push_back(std::move(span));
}

std::string classOf(StateCategory meaning)
{
    if (isOnCpu(meaning))
        return "runs";
    return isRunnable(meaning) ? "could run" : isOffCpu(meaning) ? "could not" : "unknown";
}

std::string textOf(const Store& store, std::uint32_t value)
{
    const std::uint32_t index = AnyValue::indexOf(value);
    switch (AnyValue::kindOf(value)) {
    case AnyValue::Kind::Small: return std::to_string(AnyValue::numberOf(value));
    case AnyValue::Kind::Text: return std::string(store.text(StringId{index}));
    default: return "?";
    }
}

template <typename What> History historyOf(const Store& store, std::size_t row, What what)
{
    History history;
    for (const HostInterval& it : store.intervals(TrackId(static_cast<std::uint32_t>(row)), allTimes())) {
        const std::int64_t begin = std::max(nanoseconds(it.range.begin), nanoseconds(store.summary().range.begin));
        if (begin < nanoseconds(it.range.end))
            add(history, {begin, nanoseconds(it.range.end), what(it)});
    }
    return history;
}

using Histories = std::map<std::int64_t, History>; ///< Key: TID of a thread or number of a CPU.

/// Returns the histories of the XML analysis's attributes with keys "BEGIN<number>END".
Histories declaredOnes(const Store& store, const std::string& begin, const std::string& end)
{
    Histories all;
    for (std::size_t i = 0; i < store.tracks().size(); ++i) {
        const QString key = QString::fromStdString(store.tracks()[i].key);
        if (!key.startsWith(begin.c_str()) || !key.endsWith(end.c_str()) || store.tracks()[i].view != "thread-states")
            continue;
        bool isNumber = false;
        const qlonglong number = key.mid(int(begin.size()), key.size() - int(begin.size() + end.size())).toLongLong(&isNumber);
        if (isNumber)
            all[number] = historyOf(store, i, [&](const HostInterval& it) { return textOf(store, it.value); });
    }
    return all;
}

Histories builtinThreads(const Store& store)
{
    Histories all;
    for (std::size_t i = 0; i < store.tracks().size(); ++i) {
        const Track& track = store.tracks()[i];
        if (track.view != "control-flow" || track.kind != "thread" || track.tid <= 0)
            continue;
        const auto& states = store.stateSets()[static_cast<std::size_t>(track.states)].states;
        History& history = all[track.tid];
        for (StateSpan& it :
             historyOf(store, i, [&](const HostInterval& one) { return classOf(states[static_cast<std::size_t>(one.state)].meaning); }))
            add(history, std::move(it));
    }
    return all;
}

Histories builtinCpus(const Store& store)
{
    Histories all;
    for (std::size_t i = 0; i < store.tracks().size(); ++i) {
        const Track& track = store.tracks()[i];
        if (track.kind != "cpu-thread")
            continue;
        const auto& states = store.stateSets()[static_cast<std::size_t>(track.states)].states;
        all[track.cpu] = historyOf(store, i, [&](const HostInterval& it) {
            const std::string& state = states[static_cast<std::size_t>(it.state)].name;
            return state == "running" ? std::to_string(store.tracks()[it.value].tid) : state == "idle" ? std::string("0") : state;
        });
    }
    return all;
}

QString described(const History& history, std::size_t from)
{
    QString text;
    for (std::size_t i = from; i < std::min(from + 3, history.size()); ++i)
        text += QString(" %1 %2-%3").arg(history[i].what.c_str()).arg(history[i].begin).arg(history[i].end);
    return text;
}

/// Returns the first difference of both histories; empty if they are equal.
QString difference(std::int64_t number, const History& xml, const History& builtin)
{
    for (std::size_t i = 0; i < std::max(xml.size(), builtin.size()); ++i)
        if (i >= xml.size() || i >= builtin.size() || !(xml[i] == builtin[i]))
            return QString("%1, from the %2th on: XML%3, built-in%4").arg(number).arg(i).arg(described(xml, i), described(builtin, i));
    return {};
}

/// Returns the history from the first known state on.
History known(History history)
{
    if (!history.empty() && history.front().what == "unknown")
        history.erase(history.begin());
    return history;
}

} // namespace

class ThreadStatesTest : public QObject {
    Q_OBJECT

private slots:
    void theHistoriesAreTheSame_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("session");
        test::addRow("workers", "lttng-kernel", "workers");
        test::addRow("plain", "lttng-kernel", "plain");
        test::addRow("login", "lttng-kernel", "login");
        test::addRow("big", "big-kernel", "");
    }
    void theHistoriesAreTheSame()
    {
        QFETCH(QString, collection);
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(path, collection, session);
        QFile file(SOURCE_DIR "/tests/core/xml_analysis/fixtures/thread-states.xml");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto kind = kindOf(file.readAll().toStdString());
        QVERIFY(kind);
        const auto stores = storesOf(path, {kind.get(), &analysisOf("kernel")});
        QCOMPARE(stores.size(), std::size_t(2));

        const Histories cpus = declaredOnes(*stores[0], "CPUs/", "/Thread");
        const Histories builtinOfCpus = builtinCpus(*stores[1]);
        QCOMPARE(cpus.size(), std::size_t(4));
        for (const auto& [cpu, history] : builtinOfCpus)
            QCOMPARE(difference(cpu, cpus.at(cpu), history), QString());

        Histories threads = declaredOnes(*stores[0], "Threads/", "");
        threads.erase(0); // Ignore tid 0: each CPU has its own idle thread.
        const Histories builtin = builtinThreads(*stores[1]);
        for (const auto& [tid, history] : threads)
            QVERIFY2(builtin.contains(tid) || history.empty(), std::to_string(tid).c_str());
        for (const auto& [tid, history] : builtin)
            QCOMPARE(difference(tid, threads[tid], known(history)), QString());
    }
};

HELIO_TEST(ThreadStatesTest)

#include "tst_thread_states.moc"
