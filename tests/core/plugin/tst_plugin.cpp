#include "core/analysis/analyses.h"
#include "core/plugin/plugin_analysis.h"
#include "tests/support/fake_trace.h"
#include "tests/support/indexed.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

std::string pathOf(const char* name) { return std::string(PLUGINS "/") + name + ".so"; }

/// Loads the plug-in and returns its analysis. Requires: the plug-in can be loaded.
std::shared_ptr<const AnalysisKind> kindOf(const std::string& path)
{
    const auto kinds = loadPlugin(path);
    if (!kinds || kinds->size() != 1)
        qFatal("%s", kinds ? "more than one" : kinds.error().what.c_str());
    return kinds->front();
}

/// A trace with the numbers 5 at 10 ns, 20 at 30 and 7 at 60; at 40 it has an event of a type without the field for the number.
test::FakeTrace trace() { return test::FakeTrace({}, {"tick", "tock"}, {{{10, 5, 0}, {30, 20, 0}, {40, 99, 1}, {60, 7, 0}}}); }

std::shared_ptr<const Store> storeOf(const AnalysisKind& kind, const Trace& trace)
{
    const auto made = test::indexed(trace, {&kind});
    if (!made)
        qFatal("not indexed");
    return made->stores.front();
}

QString textOf(const Store& store, StringId id)
{
    const std::string_view text = store.text(id);
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString statesOf(const Store& store, TrackId track)
{
    QStringList all;
    const Track& it = store.tracks()[std::size_t(track)];
    for (const HostInterval& interval : store.intervals(track, {hostTime(0), hostTime(1000)})) {
        const std::string& name = store.stateSets()[std::size_t(it.states)].states[std::size_t(interval.state)].name;
        const QString value = it.valueKind == ValueKind::Text ? textOf(store, StringId{interval.value}) : QString::number(interval.value);
        all << QString("%1-%2 %3 %4").arg(nanoseconds(interval.range.begin)).arg(nanoseconds(interval.range.end)).arg(name.c_str(), value);
    }
    return all.join(", ");
}

QString errorOf(const std::string& path)
{
    const auto kinds = loadPlugin(path);
    return kinds ? QString("none") : QString::fromStdString(kinds.error().what);
}

} // namespace

class PluginTest : public QObject {
    Q_OBJECT

private slots:
    void itsAnalysisIsAKindLikeAnyOther()
    {
        const auto kind = kindOf(pathOf("numbers"));
        QCOMPARE(QString::fromUtf8(kind->id().data()), QString("numbers"));
        QCOMPARE(kind->views().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(kind->views()[0].title), QString("Numbers"));
        QVERIFY(kind->appliesTo(trace()));
        QVERIFY(!kind->appliesTo(test::FakeTrace({}, {}, {})));
        Analyses analyses = *Analyses::builtin();
        QVERIFY(analyses.add(kind));
        QVERIFY(!analyses.add(kind));
    }

    void whatItFindsIsStored()
    {
        const auto store = storeOf(*kindOf(pathOf("numbers")), trace());

        QCOMPARE(store->tracks().size(), std::size_t(2));
        QCOMPARE(statesOf(*store, TrackId{0}), QString("10-30 low 5, 30-60 high 20"));
        QCOMPARE(statesOf(*store, TrackId{1}), QString("10-30 low n5, 30-60 high n20"));
        QCOMPARE(store->tracks()[0].cpu, 3);
        QCOMPARE(store->tracks()[1].parent, TrackId{0});
        QCOMPARE(store->tracks()[1].tid, 7);
        QCOMPARE(store->stateSets()[0].states[1].meaning, StateCategory::OnCpu);
        QCOMPARE(QString::fromStdString(store->stateSets()[0].states[1].style.legend), QString("high up"));

        QCOMPARE(QString::fromStdString(store->stateSets()[0].title), QString("All numbers"));
        QVERIFY(store->stateSets()[0].states[0].style.drawing == BarPattern::Line); // The first state is the plug-in's idle state.
        QCOMPARE(int(store->stateSets()[0].states[0].style.height), 1);
        QVERIFY(store->stateSets()[0].states[1].style.drawing == BarPattern::Plain);
        QCOMPARE(int(store->stateSets()[0].states[1].style.height), 16);

        const auto links = store->links({hostTime(0), hostTime(100)});
        QCOMPARE(links.size(), std::size_t(1));
        QCOMPARE(links[0].fromTime, hostTime(30));
        QCOMPARE(links[0].toTime, hostTime(60));
        QCOMPARE(QString::fromStdString(store->linkKinds()[std::size_t(links[0].kind)].id), QString("fall"));

        const auto stays = store->segments().longest(SegmentKindId{0}, {hostTime(0), hostTime(100)}, 9);
        QCOMPARE(stays.size(), std::size_t(2));
        QCOMPARE(stays[0].length(), Duration(30));
        QCOMPARE(textOf(*store, stays[1].name), QString("n20"));

        const auto& said = store->summary().anomalies;
        QCOMPARE(said.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(said[0].what), QString("some events have no number"));
    }

    void wildNumbersAndPointersDoNoHarm()
    {
        const auto store = storeOf(*kindOf(pathOf("hostile")), trace());
        QCOMPARE(store->tracks().size(), std::size_t(3)); // One row of the analysis and two sampled threads.
        QCOMPARE(store->segments().sum(SegmentKindId{0}).count, std::uint64_t(4)); // Invalid intervals count as intervals without duration.
        QVERIFY(store->links({hostTime(0), hostTime(1000)}).empty());
    }

    /// Property: a changed plug-in file has another version, so that its stores are rebuilt.
    void otherBytesAreAnotherVersion()
    {
        const QTemporaryDir folder;
        const std::string copy = folder.filePath("copy.so").toStdString();
        QVERIFY(QFile::copy(QString::fromStdString(pathOf("numbers")), QString::fromStdString(copy)));
        const int same = kindOf(copy)->version();
        QCOMPARE(same, kindOf(pathOf("numbers"))->version());
        const std::string changed = folder.filePath("changed.so").toStdString();
        QVERIFY(QFile::copy(QString::fromStdString(copy), QString::fromStdString(changed)));
        QFile file(QString::fromStdString(changed));
        QVERIFY(file.open(QIODevice::Append));
        file.write("x");
        file.close();
        QVERIFY(kindOf(changed)->version() != same);
        QVERIFY(same >= 0);
    }

    void whatIsNoPluginIsSaid()
    {
        const QTemporaryDir folder;
        const std::string text = folder.filePath("text.so").toStdString();
        QFile file(QString::fromStdString(text));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("int main() {}");
        file.close();

        QVERIFY(errorOf(text).startsWith(QString::fromStdString(text) + ": not a plug-in: "));
        QVERIFY(errorOf("/nowhere/at/all.so").startsWith("/nowhere/at/all.so: the plug-in cannot be read: "));
        QVERIFY(errorOf(folder.path().toStdString()).startsWith(folder.path()));
        QVERIFY(errorOf(pathOf("no_plugin")).endsWith(": not a plug-in: it has no function heliograph_analysis()"));
        QVERIFY(errorOf(pathOf("newer")).endsWith(": it has no analysis for version 1 of the plug-in interface"));
        QVERIFY(errorOf(pathOf("unfinished")).endsWith(": its analysis \"unfinished\" lacks a function"));
    }
};

HELIO_TEST(PluginTest)
#include "tst_plugin.moc"
