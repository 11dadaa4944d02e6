// Tests of folds, which collect the rows of short-lived processes or threads with the same name and parent in one row. They test which rows
// a fold contains, and that its numbers are the sums over these rows.

#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QMenu>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace helio;

namespace {

constexpr int Recorded = 10'000; ///< Duration of the recording that makeRecording() builds, in ns.
constexpr int Compilers = 12;

/// A thread for makeRecording(): the main thread of a process if tid == pid. Its life is from `begin` to `end`, in ns.
struct MadeProcess {
    int tid;
    int pid;
    int parent; ///< TID of the parent thread; 0 if there is none.
    std::string name;
    int begin;
    int end;
};

/// Returns a recording of a process "make" with 10 short-lived threads "job". It starts 12 short-lived processes "cc", one long-lived "cc",
/// and 9 short-lived "ld".
std::shared_ptr<const Timeline> makeRecording()
{
    std::vector<MadeProcess> processes{{10, 10, 0, "make", 0, Recorded}};
    for (int i = 0; i < Compilers; ++i)
        processes.push_back({100 + i, 100 + i, 10, "cc", 100 + 500 * i, 400 + 500 * i});
    processes.push_back({200, 200, 10, "cc", 100, 5000});
    processes.push_back({150, 150, 105, "as", 2650, 2700});
    for (int i = 0; i < 9; ++i)
        processes.push_back({300 + i, 300 + i, 10, "ld", 100 + i, 200 + i});
    for (int i = 0; i < 10; ++i)
        processes.push_back({400 + i, 10, 10, "job", 1000 + i, 1100 + i});
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    const StateSetId set = *builder->stateSet(test::statesNamed("thread", MadeTimeline::ThreadStates));
    std::map<int, TrackId> tracks;
    for (const MadeProcess& it : processes) {
        Track track;
        track.view = "control-flow";
        track.kind = "thread";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(it.tid);
        track.label = it.name;
        track.states = set;
        track.tid = it.tid;
        track.pid = it.pid;
        track.sortKey = it.tid;
        if (it.parent > 0)
            track.parent = tracks.at(it.parent);
        const TrackId id = tracks[it.tid] = builder->addTrack(track);
        builder->set(hostTime(it.begin), id, State{MadeTimeline::User});
        if (it.end < Recorded)
            builder->end(hostTime(it.end), id);
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(Recorded)};
    auto timeline = std::make_shared<Timeline>();
    addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>()});
    timeline->isComplete = true;
    return timeline;
}

/// Returns the names of the displayed rows, each indented by two spaces per level of the tree.
QStringList namesOf(const GraphRows& rows)
{
    QStringList names;
    for (int i = 0; i < rows.count(); ++i)
        names << QString(2 * rows[i].depth, ' ') + rows[i].name;
    return names;
}

const QString Fold = QStringLiteral("cc (12 processes)");

struct Window {
    Window()
        : area(context)
    {
        area.resize(1100, 900);
        area.show();
        context.setTimeline(timeline);
        panel = area.rowsPanel("control-flow");
    }
    const GraphRows& rows() const { return panel->graph()->rows(); }
    int foldRow() const
    {
        const QStringList names = namesOf(rows());
        return int(std::ranges::find(names, "  " + Fold) - names.begin());
    }
    QStringList children(const QString& name) const { return namesOf(rows()).filter(QRegularExpression("^    " + name + "$")); }
    void clickName(int row)
    {
        const GraphRows& all = rows();
        int y = 0;
        for (int i = 0; i < row; ++i)
            y += all.metrics(i).height;
        QTest::mouseClick(panel->graph(), Qt::LeftButton, {}, {150, y + 5});
    }

    std::shared_ptr<const Timeline> timeline = makeRecording();
    ViewContext context;
    TimeArea area;
    TrackPanel* panel;
};

} // namespace

class FoldedRowsTest : public QObject {
    Q_OBJECT

private slots:
    void shortLivedNamesakesAreFolded()
    {
        const auto timeline = makeRecording();
        QVERIFY(std::ranges::none_of(makeViewRows(*timeline, "control-flow").rows, [](const Row& row) { return row.kind == FoldGroup; }));
        const ViewRows found = makeViewRows(*timeline, "control-flow", true);
        QCOMPARE(found.rows.size(), found.beside.size());
        std::map<std::string, int> below;
        for (std::size_t i = 0; i < found.rows.size(); ++i) {
            const Row& row = found.rows[i];
            QVERIFY(row.parent < std::int32_t(i));
            if (row.parent >= 0)
                ++below[found.rows[std::size_t(row.parent)].label];
        }
        // Below make: two folds, the long-lived cc, and the 9 ld, because a fold has at least ten rows.
        const std::map<std::string, int> expected{
            {"make", 2 + 1 + 9}, {Fold.toStdString(), Compilers}, {"job (10 threads)", 10}, {"cc", 1}};
        QCOMPARE(below, expected);
    }

    /// Property: a closed fold shows the sum over its rows and their descendants.
    void aFoldShowsTheSumOfItsRows()
    {
        Window it;
        QTRY_VERIFY(it.foldRow() < it.rows().count());
        const GraphRow& fold = it.rows()[it.foldRow()];
        QVERIFY(!fold.ref.isValid() && !fold.isOpen && fold.hasShare && fold.isMeasured());
        QCOMPARE(fold.sources->size(), std::size_t(Compilers + 1));
        Shares shares;
        for (const LaneSource& source : *fold.sources)
            shares.emplace(source.track, BusyShare(0.01));
        QVERIFY(std::abs(shareOf(fold, shares)->share - 0.01 * (Compilers + 1)) < 1e-9);
        QCOMPARE(fold.shortName, QStringLiteral("cc \u00d712"));
        // The panel's subtitle counts the threads in a closed fold as displayed rows, so it says 34.
        QVERIFY2(it.panel->header()->subtitle().startsWith("34 "), qPrintable(it.panel->header()->subtitle()));
    }

    void aClickOpensAFoldAndCanBeUndone()
    {
        Window it;
        QTRY_VERIFY(it.foldRow() < it.rows().count());
        QCOMPARE(it.children("cc").size(), 0);
        it.clickName(it.foldRow());
        QTRY_COMPARE(it.children("cc").size(), Compilers);
        QCOMPARE(it.context.changes().undoText(), "Unfold " + Fold);
        it.context.changes().undo();
        QTRY_COMPARE(it.children("cc").size(), 0);
        it.context.changes().redo();
        QTRY_COMPARE(it.children("cc").size(), Compilers);
    }

    /// Property: a row in a closed fold becomes visible if it matches the filter, is on the critical path, or is selected.
    void foldedRowsAreRevealed()
    {
        Window it;
        QTRY_VERIFY(it.foldRow() < it.rows().count());
        const auto all = rows(*it.timeline, "control-flow");
        const TrackRef folded = std::ranges::find(all, 107, &Row::tid)->ref;

        it.panel->header()->setFilter("107");
        QTRY_COMPARE(it.children("cc").size(), 1);
        it.panel->header()->setFilter({});
        QTRY_COMPARE(it.children("cc").size(), 0);

        auto path = std::make_shared<HighlightMask>();
        path->rows[folded] = {{timestamp(3600), timestamp(3900)}};
        it.context.setLight(path);
        QTRY_COMPARE(it.children("cc").size(), 1);
        it.context.setLight({});
        QTRY_COMPARE(it.children("cc").size(), 0);

        it.context.time().setRow(folded);
        QTRY_VERIFY(it.rows().find(folded) >= 0);
    }

    void foldingCanBeSwitchedOff()
    {
        Window it;
        QTRY_VERIFY(it.foldRow() < it.rows().count());
        QMenu menu;
        it.panel->fillMenu(menu);
        const auto actions = menu.actions();
        const auto action = std::ranges::find(actions, QStringLiteral("Fold short-lived processes"), &QAction::text);
        QVERIFY(action != actions.end() && (*action)->isChecked());
        (*action)->trigger();
        QTRY_COMPARE(namesOf(it.rows()).filter(QRegularExpression("^  cc$")).size(), Compilers + 1);
        QCOMPARE(it.panel->save()["folds"].toBool(true), false);
        it.context.changes().undo();
        QTRY_VERIFY(it.foldRow() < it.rows().count());
    }
};

HELIO_TEST(FoldedRowsTest)
#include "tst_folded_rows.moc"
