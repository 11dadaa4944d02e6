// Properties of every flame graph view, tested with a minimal one.

#include "tests/support/test_program.h"
#include "tests/widgets/flame/frame/made_content.h"
#include "widgets/flame/frame/flame_graph_base.h"

#include <QApplication>
#include <QMenu>
#include <QStackedWidget>
#include <QTest>

#include <atomic>

using namespace helio;

namespace {

/// A query without work, which only has a name.
class NoWork : public SharedQuery {
public:
    NoWork()
        : SharedQuery(0, {}, nullptr)
    {
    }
    using SharedQuery::setWork;

private:
    void ask() override { }
};

/// A minimal view, which shows the given content.
class SmallBench : public FlameGraphBase {
public:
    explicit SmallBench(SharedQuery& work)
        : FlameGraphBase(work, nullptr)
        , page(new QLabel("Nothing"))
    {
        head().addTool(&searchField());
        head().addTool(&workLine());
        setPages(page, &graph());
        showState();
    }
    void give(FlameContent content, bool isAll = true)
    {
        given = std::move(content);
        isLast = isAll;
        rebuild();
    }
    using FlameGraphBase::keptZoom;
    using FlameGraphBase::restoreZoom;

    FlameContent given;
    bool isLast = true;
    int built = 0;
    QLabel* page;
    mutable QStringList asked; ///< Names of the frames whose menu was requested.

private:
    void build() override
    {
        ++built;
        post([this, content = given, all = isLast](std::stop_token) -> LatestTask::Delivery {
            return [this, content, all] { showContent(content, all); };
        });
    }
    void showState() override { showEmpty(graph().content().tree == nullptr); }
    QString matchShareText(const SampleSum& sum, const FunctionMatcher&) const override { return QString::number(sum.samples); }
    TipContent tipOf(const FlameFrameRef& place) const override
    {
        TipContent tip;
        tip.title = QString::fromStdString(graph().treeOf(place).functionOf(place.node).name);
        asked << "tip of " + tip.title;
        return tip;
    }
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override
    {
        asked << QStringLiteral("menu of ") + QString::fromStdString(tree.functionOf(place.node).name);
        addSearchFor(menu, tree.functionOf(place.node));
        addCopy(menu, "Copy name", asked.last());
    }
};

/// Calls open(), which shows a menu; triggers its action `chosen` and returns the texts of all actions.
QStringList menuLines(const std::function<void()>& open, int chosen)
{
    QStringList lines;
    QTimer::singleShot(0, qApp, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        for (const QAction* action : menu->actions())
            lines << action->text();
        QAction* action = menu->actions().value(chosen);
        menu->close();
        action->trigger();
    });
    open();
    return lines;
}

} // namespace

class FlameBenchTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsGivenWhileItIsHiddenIsBuiltOnceItIsShown()
    {
        NoWork work;
        SmallBench bench(work);
        bench.give(madeChain(2));
        bench.give(madeChain(3));
        QCOMPARE(bench.built, 0);
        bench.show();
        QTRY_VERIFY(bench.graph().content().tree == bench.given.tree);
        QCOMPARE(bench.built, 1);
        bench.hide();
        bench.show();
        QCOMPARE(bench.built, 1); // The content is not built again.
        bench.give(madeChain(4));
        QTRY_VERIFY(bench.graph().content().tree == bench.given.tree);
    }

    void thePageStandsThereWhileThereIsNoGraph()
    {
        NoWork work;
        SmallBench bench(work);
        bench.show();
        QVERIFY(bench.page->isVisible() && !bench.graph().isVisible());
        bench.give(madeChain(2));
        QTRY_VERIFY(bench.graph().isVisible() && !bench.page->isVisible());
        bench.give({});
        QTRY_VERIFY(bench.page->isVisible());
    }

    void aSearchHoldsForOtherContentToo()
    {
        NoWork work;
        SmallBench bench(work);
        bench.show();
        bench.give(madeContent({"main;work 30", "main;rest 10"}));
        QTRY_VERIFY(bench.graph().content().tree);
        bench.search("work");
        QCOMPARE(bench.found(), "30 in 1 frames");
        bench.give(madeContent({"main;work 3", "main;rest;work 2"}));
        QTRY_COMPARE(bench.found(), "5 in 2 frames");
    }

    void aKeptZoomWaitsForItsTree()
    {
        NoWork work;
        SmallBench before(work);
        before.show();
        before.give(madeChain(4));
        QTRY_VERIFY(before.graph().content().tree);
        before.graph().zoomTo(0, 3);
        const QJsonArray kept = before.keptZoom();

        SmallBench bench(work);
        bench.restoreZoom(kept);
        QCOMPARE(bench.keptZoom(), kept);
        bench.show();
        bench.give(madeChain(2), false);
        QTRY_VERIFY(bench.graph().content().tree);
        QCOMPARE(bench.keptZoom(), kept);
        bench.give(madeChain(5));
        QTRY_COMPARE(bench.graph().zoom(), 3u);
    }

    void theTipIsTheFramesAndOfThoseTooNarrowThereIsOne()
    {
        NoWork work;
        SmallBench bench(work);
        bench.resize(600, 300);
        bench.show();
        bench.give(madeContent({"main;work 30"}));
        QTRY_VERIFY(bench.graph().content().tree);
        const std::uint32_t node = nodeOf(*bench.given.tree, "work");
        emit bench.graph().hovered(FlameFrameRef{0, node, 1}, QPoint(10, 10));
        QCOMPARE(bench.asked, QStringList{"tip of work"});
        const auto tip = [&] { return bench.findChild<StateTip*>(); };
        QVERIFY(tip() && tip()->isVisible());
        emit bench.graph().hovered(FlameFrameRef{0, node, 7}, QPoint(10, 10));
        QCOMPARE(bench.asked.size(), 1);
        QVERIFY(tip()->isVisible());
        emit bench.graph().hovered(std::nullopt, QPoint(10, 10));
        QVERIFY(!tip()->isVisible());
    }

    void aFramesMenuZoomsAndSearchesAndHasWhatTheViewAdds()
    {
        NoWork work;
        SmallBench bench(work);
        bench.show();
        bench.give(madeContent({"main;work 30", "main;rest 10"}));
        QTRY_VERIFY(bench.graph().content().tree);
        const FlameFrameRef place{0, nodeOf(*bench.given.tree, "work"), 1};
        const auto open = [&] { emit bench.graph().menuRequested(place, QPoint()); };

        QCOMPARE(menuLines(open, 1), (QStringList{"Zoom to frame", "Find all occurrences", "Copy name"}));
        QCOMPARE(bench.asked, QStringList{"menu of work"});
        QCOMPARE(bench.found(), "30 in 1 frames");
        menuLines(open, 0);
        QCOMPARE(bench.graph().zoom(), place.node);
        const auto root = [&] { emit bench.graph().menuRequested(FlameFrameRef{}, QPoint()); };
        QCOMPARE(menuLines(root, 0), QStringList{"Zoom to frame"}); // The root has no actions for functions.
        QCOMPARE(bench.graph().zoom(), 0u);
    }

    void aTreeThatWasReplacedWhileItsMenuWasOpenIsNotZoomed()
    {
        NoWork work;
        SmallBench bench(work);
        bench.show();
        bench.give(madeChain(4));
        QTRY_VERIFY(bench.graph().content().tree);
        QTimer::singleShot(0, qApp, [&] {
            bench.graph().setContent(madeContent({"main;a;b;c;d;e 3"}));
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QAction* zoom = menu->actions().first();
            menu->close();
            zoom->trigger();
        });
        // Opens the menu of a frame of the old tree. While the menu is open, the new tree arrives, in which this node is a different
        // function. The menu's zoom must then do nothing.
        emit bench.graph().menuRequested(FlameFrameRef{0, 4, 1}, QPoint());
        QCOMPARE(bench.graph().zoom(), 0u);
    }

    void theUiThreadDoesNotFreeALargeTree()
    {
        FlameView graph;
        graph.resize(800, 300);
        MadeStacks stacks;
        for (int i = 0; i < 1500; ++i)
            stacks.add("main;f" + std::to_string(i) + " 1");
        std::atomic<Qt::HANDLE> freedBy = nullptr;
        graph.setContent({std::shared_ptr<const CallTree>(new CallTree(*madeTree(stacks)),
                                                          [&](const CallTree* tree) {
                                                              delete tree;
                                                              freedBy = QThread::currentThreadId();
                                                          }),
                          nullptr, WeightBy::Samples});

        replaceContent(graph, madeChain(2));

        QTRY_VERIFY(freedBy != nullptr);
        QVERIFY(freedBy != QThread::currentThreadId());
    }
};

HELIO_TEST(FlameBenchTest)
#include "tst_flame_graph_base.moc"
