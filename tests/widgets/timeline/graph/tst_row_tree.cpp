#include "tests/support/test_program.h"
#include "widgets/timeline/graph/rows/row_tree.h"

#include <QJsonArray>
#include <QTest>

using namespace helio;

namespace {

Row row(std::int32_t number, std::int32_t parent, const std::string& label)
{
    Row it;
    it.ref = {StoreIndex{}, TrackId(number)};
    it.parent = parent;
    it.id = "tid:" + std::to_string(number);
    it.kind = "thread";
    it.role = TrackRole::Thread;
    it.label = label;
    it.tid = number;
    return it;
}

/// Rows, with children in brackets: 0 shell [1 make [2 cc], 3 ls], 4 daemon
std::vector<Row> family() { return {row(0, -1, "shell"), row(1, 0, "make"), row(2, 1, "cc"), row(3, 0, "ls"), row(4, -1, "daemon")}; }

std::vector<std::int32_t> shown(const RowTree& tree)
{
    std::vector<std::int32_t> indices;
    for (const TreeRow& it : tree.visible())
        indices.push_back(it.index);
    return indices;
}

/// Rows, with children in brackets: 0 process [1 stack [2, 3: second and third depth; 4: states of the thread], 5 stack [6: second
/// depth]]
std::vector<Row> stacks()
{
    std::vector<Row> all = {row(0, -1, "app"), row(1, 0, "main"),   row(2, 1, "2"), row(3, 1, "3"),
                            row(4, 1, "main"), row(5, 0, "helper"), row(6, 5, "2")};
    for (const int frame : {1, 2, 3, 5, 6})
        all[std::size_t(frame)].valueKind = ValueKind::Frame;
    return all;
}

using Indices = std::vector<std::int32_t>;

} // namespace

class RowTreeTest : public QObject {
    Q_OBJECT

private slots:
    void aFilterThatNamesAHostMeansAllItsRows()
    {
        Row web, db;
        web.kind = db.kind = "host";
        web.label = "web";
        db.label = "db";
        db.host = 1;
        std::vector<Row> all{web, row(1, 0, "apache"), row(2, 1, "php"), db, row(3, 3, "webhook"), row(4, 3, "mysqld")};
        for (const int i : {4, 5})
            all[std::size_t(i)].host = 1;
        RowTree tree;
        tree.setRows(all);
        tree.setFilter("WEB");
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4}));
        tree.setFilter("\"web\"");
        QCOMPARE(shown(tree), (Indices{0, 1, 2}));
        tree.setFlat(true);
        QCOMPARE(shown(tree), (Indices{1, 2}));
        tree.setFlat(false);
        tree.setFilter("php");
        QCOMPARE(shown(tree), (Indices{0, 1, 2}));
        tree.setAccepts([](const Row& it) { return it.tid != 2; });
        tree.setFilter("web");
        QCOMPARE(shown(tree), (Indices{0, 1, 3, 4})); // The sleeping row 2 stays hidden, although the filter matches.
    }

    void rowsStandBelowWhatTheyHangOn()
    {
        RowTree tree;
        tree.setRows(family());
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4}));
        QCOMPARE(tree.visible()[2].depth, 2);
    }

    /// Property: a collapsed host stays collapsed, whichever of its traces is read first (this decides the order of its rows).
    void aClosedHostStaysClosedWhicheverTraceIsReadFirst()
    {
        const auto hostOf = [](std::uint32_t trace) {
            Row host;
            host.kind = "host";
            host.id = "host:web";
            host.trace = trace;
            Row thread = row(1, 0, "nginx");
            thread.trace = trace;
            return std::vector<Row>{host, thread};
        };
        RowTree tree;
        tree.setRows(hostOf(1));
        tree.setOpen(0, false);
        QCOMPARE(shown(tree), (Indices{0}));
        tree.setRows(hostOf(0));
        QCOMPARE(shown(tree), (Indices{0}));
    }

    void aFilterKeepsTheParentsOfWhatMatches()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setFilter("cc");
        QCOMPARE(shown(tree), (Indices{0, 1, 2}));
        tree.setFilter("");
        QCOMPARE(shown(tree).size(), std::size_t(5));
    }

    void callStacksShowAsManyDepthsAsWanted()
    {
        RowTree tree;
        tree.setRows(stacks());
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4, 5, 6}));
        tree.setMostDepths(1);
        QCOMPARE(shown(tree), (Indices{0, 1, 4, 5})); // Row 4, which has the states of the stack's thread, remains visible.
        QCOMPARE(tree.visible()[1].hiddenDepths, 2);
        QCOMPARE(tree.visible()[1].hiddenRow, 2);
        QCOMPARE(tree.visible()[3].hiddenDepths, 1);
        tree.setMostDepths(1, 2); // Sets the limit of row 1 only.
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 4, 5}));
        QCOMPARE(tree.visible()[1].hiddenDepths, 0);
        QCOMPARE(tree.visible()[2].hiddenDepths, 1);
        RowTree other;
        other.setRows(stacks());
        other.restore(tree.save());
        QCOMPARE(shown(other), shown(tree));
        other.reveal(3);
        QCOMPARE(shown(other), (Indices{0, 1, 2, 3, 4, 5}));
    }

    void aClosedCallStackCountsWhatItHides()
    {
        RowTree tree;
        tree.setRows(stacks());
        tree.setOpen(1, false);
        QCOMPARE(shown(tree), (Indices{0, 1, 5, 6}));
        QCOMPARE(tree.visible()[1].hiddenDepths, 2);
    }

    void depthsKeepTheirOrderHoweverThreadsAreSorted()
    {
        RowTree tree;
        tree.setRows(stacks());
        tree.setSort(RowTree::Column::Name, true);
        // "main" comes before "helper", and depth "2" before "3": stacks keep their order.
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4, 5, 6}));
        tree.setSort(RowTree::Column::Name, false);
        QCOMPARE(shown(tree), (Indices{0, 5, 6, 1, 2, 3, 4}));
    }

    void callStacksShowTheDepthsThatAreOccupied()
    {
        RowTree tree;
        tree.setRows(stacks());
        tree.setOccupiedDepths(std::make_shared<const OccupiedDepths>(OccupiedDepths{{1, 2}, {5, 0}}));
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 4, 5})); // The outermost depth is always shown.
        for (const TreeRow& it : tree.visible())
            QCOMPARE(it.hiddenDepths, 0); // Depths without calls are not counted as hidden.
        tree.setMostDepths(1);
        QCOMPARE(shown(tree), (Indices{0, 1, 4, 5}));
        QCOMPARE(tree.visible()[1].hiddenDepths, 1); // Two of three depths are occupied.
        tree.setMostDepths(0);
        tree.reveal(3);
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4, 5}));
        tree.setOccupiedDepths(std::make_shared<const OccupiedDepths>(OccupiedDepths{{5, 1}}));
        // The occupied depths of row 1's stack are not known any more, so all its depths are shown.
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4, 5}));
        tree.setRows(stacks());
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4, 5, 6}));
    }

    void aFilterKeepsStacksWhole()
    {
        RowTree tree;
        tree.setRows(stacks());
        tree.setFilter("helper");
        QCOMPARE(shown(tree), (Indices{0, 5, 6}));
    }

    void aNameInQuotesIsMeantWhole()
    {
        const auto row = [](const char* label, std::int32_t parent, std::int64_t pid, std::int64_t tid) {
            Row it;
            it.ref = {StoreIndex{}, TrackId(tid)};
            it.label = label;
            it.parent = parent;
            it.pid = pid;
            it.tid = tid;
            return it;
        };
        RowTree tree;
        tree.setRows({row("m", -1, 5, 5), row("worker", 0, 5, 6), row("child", 0, 7, 7), row("kdamond", -1, 8, 8)});
        tree.setFilter("m");
        QCOMPARE(shown(tree), (Indices{0, 3}));
        tree.setFilter("\"m\"");
        QCOMPARE(shown(tree), (Indices{0, 1}));
        tree.setFilter("\"M\"");
        QVERIFY(shown(tree).empty());
    }

    void siblingsAreSortedByTheirShares()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setShares(
            std::make_shared<Shares>(Shares{{TrackRef{StoreIndex{}, TrackId(3)}, 0.5}, {TrackRef{StoreIndex{}, TrackId(4)}, 0.9}}));
        tree.setSort(RowTree::Column::Share, true);
        QCOMPARE(shown(tree), (Indices{4, 0, 3, 1, 2}));
    }

    /// Property: siblings with a rank come first, in the order of their ranks; the others follow in the order of the column.
    void ranksComeBeforeTheSortColumn()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setSort(RowTree::Column::Name, false);
        QCOMPARE(shown(tree), (Indices{4, 0, 3, 1, 2}));
        QCOMPARE(tree.order().size(), 5U);

        tree.setRanks(std::make_shared<RowTree::Ranks>(
            RowTree::Ranks{{TrackRef{StoreIndex{}, TrackId(0)}, 3}, {TrackRef{StoreIndex{}, TrackId(1)}, 7}}));
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4}));
        tree.setFlat(true);
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 4, 3}));

        tree.setFlat(false);
        tree.setRanks(nullptr);
        QCOMPARE(shown(tree), (Indices{4, 0, 3, 1, 2}));
    }

    void theOrderIncludesRowsThatAreNotShown()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setSort(RowTree::Column::Name, false);
        tree.setFilter("daemon");
        tree.hide(1);
        std::vector<std::uint32_t> numbers;
        for (const TrackRef track : tree.order())
            numbers.push_back(static_cast<std::uint32_t>(track.track));
        QCOMPARE(numbers, (std::vector<std::uint32_t>{4, 0, 3, 1, 2}));
        QCOMPARE(shown(tree), (Indices{4}));
    }

    /// Property: processes are sorted within each host by their share of the whole trace. Changed shares of the visible range do not move
    /// them.
    void busiestProcessesComeFirstWithinTheirHost()
    {
        Row web, db;
        web.kind = db.kind = "host";
        db.host = 1;
        RowTree tree;
        tree.setRows({web, row(1, 0, "idle"), row(2, 0, "apache"), db, row(3, 3, "cron"), row(4, 4, "job"), row(5, 3, "mysqld")});
        const auto share = [](int track, double part) { return std::pair(TrackRef{StoreIndex{}, TrackId(track)}, BusyShare(part)); };
        tree.setTotals(std::make_shared<Shares>(Shares{share(2, 0.1), share(4, 0.7), share(5, 0.6)}));
        tree.setInitialSort(RowTree::Column::Total, true);
        QCOMPARE(shown(tree), (Indices{0, 2, 1, 3, 4, 5, 6}));
        tree.setShares(std::make_shared<Shares>(Shares{share(1, 0.9)}));
        QCOMPARE(shown(tree), (Indices{0, 2, 1, 3, 4, 5, 6}));
        tree.setTotals(std::make_shared<Shares>(Shares{share(5, 0.6)}));
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 6, 4, 5}));

        tree.restore({});
        QCOMPARE(tree.sortColumn(), RowTree::Column::Total); // An empty saved state restores the initial order.
    }

    /// Property: a group without accepted rows is shown unless the caller hides such groups.
    void emptyGroupsAreHiddenOnRequest()
    {
        Row web, db;
        web.kind = db.kind = "host";
        RowTree tree;
        tree.setRows({web, row(1, 0, "apache"), db, row(2, 2, "mysqld")});
        const auto isApache = [](const Row& row) { return row.label == "apache"; };
        tree.setAccepts(isApache);
        QCOMPARE(shown(tree), (Indices{0, 1, 2}));
        tree.setAccepts(isApache, false);
        QCOMPARE(shown(tree), (Indices{0, 1}));
        tree.setAccepts({});
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3}));
    }

    /// Property: only an order that the user chose is saved, so that a later default applies to the others. Files of earlier versions
    /// contain their default, "recorded".
    void onlyAChosenOrderIsSaved()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setInitialSort(RowTree::Column::Total, true);
        QVERIFY(!tree.save().contains("sort"));
        tree.setSort(RowTree::Column::Time, false);
        RowTree other;
        other.setInitialSort(RowTree::Column::Total, true);
        other.restore(tree.save());
        QCOMPARE(other.sortColumn(), RowTree::Column::Time);
        other.restore({{"sort", "recorded"}, {"descending", false}});
        QCOMPARE(other.sortColumn(), RowTree::Column::Total);
        QVERIFY(other.isDescending());
    }

    void aCopyIsArrangedOnItsOwn()
    {
        RowTree tree;
        tree.setRows(family());
        RowTree copy = tree;
        copy.setOpen(0, false);
        QCOMPARE(shown(copy), (Indices{0, 4}));
        QCOMPARE(shown(tree).size(), std::size_t(5));
    }

    void whatWasClosedStaysClosedAmongOtherRows()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setOpen(1, false);
        auto more = family();
        more.insert(more.begin(), row(9, -1, "first"));
        for (std::size_t i = 1; i < more.size(); ++i)
            more[i].parent += more[i].parent >= 0;
        tree.setRows(more);
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 4, 5}));
    }

    void revealingOpensAllAbove()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setAllOpen(false);
        tree.setOpen(0, false);
        tree.setOpen(1, false);
        QCOMPARE(shown(tree), (Indices{0, 4}));
        tree.reveal(tree.find({StoreIndex{}, TrackId(2)}));
        QCOMPARE(shown(tree).size(), std::size_t(5));
    }

    void rowSetsLookAlikeWhateverBecameKnownOfTheirRows()
    {
        auto later = family();
        later[2].intervals = 99;
        QVERIFY(RowSet(family()).looksLike(RowSet(later)));
        later[2].label = "cc1";
        QVERIFY(!RowSet(family()).looksLike(RowSet(later)));
    }

    void aProcessIsSortedByWhatAllOfItDid()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setShares(std::make_shared<Shares>(Shares{{TrackRef{StoreIndex{}, TrackId(2)}, 0.4},
                                                       {TrackRef{StoreIndex{}, TrackId(3)}, 0.3},
                                                       {TrackRef{StoreIndex{}, TrackId(4)}, 0.6}}));
        tree.setSort(RowTree::Column::Share, true);
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4}));
    }

    void aListHasAllRowsByThemselves()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setOpen(0, false); // Closing a row has no effect in a flat list.
        tree.setShares(std::make_shared<Shares>(Shares{{TrackRef{StoreIndex{}, TrackId(2)}, 0.4},
                                                       {TrackRef{StoreIndex{}, TrackId(3)}, 0.5},
                                                       {TrackRef{StoreIndex{}, TrackId(4)}, 0.1}}));
        tree.setSort(RowTree::Column::Share, true);
        tree.setFlat(true);
        QCOMPARE(shown(tree), (Indices{3, 2, 4, 0, 1}));
        for (const TreeRow& it : tree.visible())
            QVERIFY(it.depth == 0 && !it.hasChildren);
        tree.setFilter("cc");
        QCOMPARE(shown(tree), (Indices{2})); // Parents do not match the filter.
        tree.setFilter("");
        tree.setFlat(false);
        QCOMPARE(shown(tree), (Indices{0, 4}));
    }

    void hidingARowTakesWhatHangsBelowItAlong()
    {
        RowTree tree;
        tree.setRows(family());
        tree.hide(1);
        QCOMPARE(shown(tree), (Indices{0, 3, 4}));
        QVERIFY(tree.hasHidden());
        tree.showAll();
        QCOMPARE(shown(tree), (Indices{0, 1, 2, 3, 4}));
    }

    void pinnedRowsKeepTheOrderOfPinning()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setPinned(4, true);
        tree.setPinned(2, true);
        QCOMPARE(tree.pinned(), (Indices{4, 2}));
        QVERIFY(tree.isPinned(2) && !tree.isPinned(3));
        tree.setPinned(4, false);
        QCOMPARE(tree.pinned(), (Indices{2}));
        QCOMPARE(shown(tree).size(), std::size_t(5)); // Pinned rows also remain at their positions in the tree.
    }

    void whatAPersonDidCanBeKept()
    {
        RowTree tree;
        tree.setRows(family());
        tree.setOpen(1, false);
        tree.hide(3);
        tree.setPinned(4, true);
        tree.setSort(RowTree::Column::Name, true);
        RowTree other;
        other.setRows(family());
        other.restore(tree.save());
        QCOMPARE(shown(other), shown(tree));
        QCOMPARE(other.pinned(), (Indices{4}));
        QCOMPARE(other.sortColumn(), RowTree::Column::Name);
        QCOMPARE(other.save(), tree.save());

        other.restore({{"sort", 7}, {"pinned", "no list"}, {"hidden", QJsonArray{1, 2}}}); // Invalid content, as a session file may have.
        QCOMPARE(shown(other), (Indices{0, 1, 2, 3, 4}));
        QVERIFY(other.pinned().empty());
    }

    void parentsBehindTheirChildrenAreNoParents()
    {
        RowTree tree;
        tree.setRows({row(0, 1, "a"), row(1, 0, "b"), row(2, 2, "c")});
        QCOMPARE(shown(tree), (Indices{0, 1, 2}));
    }
};

HELIO_TEST(RowTreeTest)
#include "tst_row_tree.moc"
