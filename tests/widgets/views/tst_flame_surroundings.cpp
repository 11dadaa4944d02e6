#include "tests/core/query/made_stacks.h"
#include "tests/support/test_program.h"
#include "widgets/sampling/flame_surroundings.h"
#include "widgets/shell/menus.h"
#include "widgets/shell/pill.h"

#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace helio;

namespace {

std::shared_ptr<const CallTree> treeOf(const MadeStacks& made)
{
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    return std::make_shared<const CallTree>(buildCallTree(made.profile, made.names, options));
}

/// A chain of frames: "f0;f1;f2...".
std::shared_ptr<const CallTree> chain(int length)
{
    std::string frames;
    for (int i = 0; i < length; ++i)
        frames += (i ? ";f" : "f") + std::to_string(i);
    return treeOf(MadeStacks().add(frames + " 10"));
}

} // namespace

class FlameSurroundingsTest : public QObject {
    Q_OBJECT

private slots:
    void theTrailShowsTheWayInAndItsLinksLeadBack()
    {
        FlameView graph;
        graph.resize(800, 300);
        CrumbTrail trail(graph);
        trail.setRootName("solver");
        graph.setContent({chain(4), nullptr, WeightBy::Samples});
        trail.refresh();
        QVERIFY(trail.isEmpty());

        graph.zoomTo(0, 3);
        trail.refresh();
        for (const char* name : {"solver", "f0", "f1", "f2"})
            QVERIFY2(trail.text().contains(name), name);
        QVERIFY(!trail.text().contains("f3"));
        emit trail.linkActivated("1");
        QCOMPARE(graph.zoom(), 1u);
    }

    void aLongWayIsShownByItsBeginningAndItsEnd()
    {
        FlameView graph;
        CrumbTrail trail(graph);
        graph.setContent({chain(12), nullptr, WeightBy::Samples});
        graph.zoomTo(0, 12);
        trail.refresh();

        QVERIFY(trail.text().contains("f0") && trail.text().contains("f11"));
        QVERIFY(trail.text().contains(QStringLiteral("\u2026")));
        QVERIFY(!trail.text().contains("f5"));
    }

    void theUiThreadDoesNotFreeALargeTree()
    {
        FlameView graph;
        graph.resize(800, 300);
        MadeStacks stacks;
        for (int i = 0; i < 1500; ++i)
            stacks.add("main;f" + std::to_string(i) + " 1");
        std::atomic<Qt::HANDLE> freedBy = nullptr;
        graph.setContent({std::shared_ptr<const CallTree>(new CallTree(*treeOf(stacks)),
                                                          [&](const CallTree* tree) {
                                                              delete tree;
                                                              freedBy = QThread::currentThreadId();
                                                          }),
                          nullptr, WeightBy::Samples});

        replaceContent(graph, {chain(2), nullptr, WeightBy::Samples});

        QTRY_VERIFY(freedBy != nullptr);
        QVERIFY(freedBy != QThread::currentThreadId());
    }

    void aSearchFindsFunctionsAndNotThreads()
    {
        SampledFunction function;
        function.name = "Initialise";
        function.code = CodeKind::User;
        QVERIFY(functionsLike("initial")(function));
        QVERIFY(!functionsLike("work")(function));
        function.code = CodeKind::Thread;
        QVERIFY(!functionsLike("initial")(function));
    }

    void aFileThatIsStoppedIsNotThere()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("stacks.folded");
        std::stop_source stop;
        stop.request_stop();

        QVERIFY(!saveText(path, [](const TextSink& sink) { QVERIFY(!sink("half")); }, stop.get_token()));
        QVERIFY(!QFile::exists(path));
        QVERIFY(saveText(path, [](const TextSink& sink) { QVERIFY(sink("whole")); }));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("whole"));
        QVERIFY(!saveText(folder.filePath("none/stacks.folded"), [](const TextSink& sink) { sink("never"); }));
    }

    void aMenuIsFilledEachTimeItOpens()
    {
        QWidget parent;
        int chosen = 0;
        QMenu* menu = makeMenu(&parent, [&](QMenu* it) {
            for (int i = 0; i < 2; ++i)
                addChoice(it, QString::number(i), i == chosen, [&chosen, i] { chosen = i; });
        });
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[0]->isChecked());

        menu->actions()[1]->trigger();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[1]->isChecked() && !menu->actions()[0]->isChecked());
    }
};

HELIO_TEST(FlameSurroundingsTest)
#include "tst_flame_surroundings.moc"
