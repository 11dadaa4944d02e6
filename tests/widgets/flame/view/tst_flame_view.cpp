#include "tests/core/profiling/made_stacks.h"
#include "tests/support/test_program.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

FlameContent contentOf(const MadeStacks& made, CallTreeOptions options = {})
{
    options.base = CallTreeOptions::Base::None;
    return {std::make_shared<const CallTree>(buildCallTree(made.profile, made.names, options)), nullptr, WeightBy::Samples};
}

MadeStacks made()
{
    MadeStacks stacks;
    stacks.add("main;init;fault@[kernel.kallsyms] 50").add("main;init 20").add("main;work;fault@[kernel.kallsyms] 10").add("main;work 20");
    return stacks;
}

} // namespace

class FlameViewTest : public QObject {
    Q_OBJECT

private:
    std::uint32_t node(const std::string& name) const
    {
        const CallTree& tree = *m_view.content().tree;
        for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
            if (tree.functionOf(i).name == name)
                return i;
        return 0;
    }
    QPoint middleOf(const std::string& name) const { return m_view.rectOf({0, node(name), 1}).center().toPoint(); }

    FlameView m_view;

private slots:
    void init()
    {
        m_view.resize(1000, 300);
        m_view.show();
        m_view.setMatcher({});
        m_view.setRootsBelow(false);
        m_view.setContent({});
        m_view.setContent(contentOf(made()));
    }

    void aClickZoomsAndEscapeGoesBack()
    {
        QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, middleOf("work"));
        QCOMPARE(m_view.zoom(), node("work"));
        QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, middleOf("main")); // A click on a caller zooms out to it.
        QCOMPARE(m_view.zoom(), node("main"));

        QTest::keyClick(&m_view, Qt::Key_Escape);
        QCOMPARE(m_view.zoom(), node("work"));
        QTest::keyClick(&m_view, Qt::Key_Backspace);
        QCOMPARE(m_view.zoom(), 0u);
        QVERIFY(!m_view.zoomBack());
    }

    void theKeysWalkAndEnterZooms()
    {
        m_view.setFocus();
        QTest::keyClick(&m_view, Qt::Key_Home);
        QCOMPARE(m_view.current()->node, 0u);
        QTest::keyClick(&m_view, Qt::Key_Down);
        QTest::keyClick(&m_view, Qt::Key_Down);
        QCOMPARE(m_view.current()->node, node("init"));
        QTest::keyClick(&m_view, Qt::Key_Right);
        QCOMPARE(m_view.current()->node, node("work"));
        QTest::keyClick(&m_view, Qt::Key_Right);
        QCOMPARE(m_view.current()->node, node("work"));
        QTest::keyClick(&m_view, Qt::Key_Return);
        QCOMPARE(m_view.zoom(), node("work"));
        QTest::keyClick(&m_view, Qt::Key_Up);
        QCOMPARE(m_view.current()->node, node("main"));
        QVERIFY(m_view.accessibleDescription().startsWith("main"));
    }

    void aSearchCountsEachStackOnce()
    {
        MadeStacks stacks;
        stacks.add("main;f;g;f 30").add("main;f 10").add("main;h 60");
        m_view.setContent(contentOf(stacks));

        const SampleSum sum = m_view.setMatcher([](const SampledFunction& function) { return function.name == "f"; });

        QCOMPARE(sum.samples, 40u);
        QCOMPARE(m_view.matchCount(), 2);
        QCOMPARE(m_view.setMatcher({}).samples, 0u);
    }

    void aMatchIsPaintedInItsColour()
    {
        m_view.setMatcher([](const SampledFunction& function) { return function.name == "work"; });

        const QRectF rect = m_view.rectOf({0, node("work"), 1});
        const QImage image = m_view.image(1000);

        QCOMPARE(image.pixelColor(int(rect.right()) - 3, int(rect.top()) + 2), theme().color("flame.match"));
    }

    void namesThatArriveKeepTheZoom()
    {
        const MadeStacks after = made();
        MadeStacks before = made();
        for (std::size_t i = 1; i < before.names.functions.size(); ++i)
            before.names.functions[i].name = "0x" + std::to_string(1000 + i);
        m_view.setContent(contentOf(before));
        m_view.zoomTo(0, m_view.content().tree->childrenOf(m_view.content().tree->nodes[0].firstChild)[1].firstChild);
        QVERIFY(m_view.zoom() != 0);

        m_view.setContent(contentOf(after), [&](const FlamePath& path) { return renamedPath(path, before.names, after.names); });

        const CallTree& tree = *m_view.content().tree;
        QCOMPARE(tree.functionOf(m_view.zoom()).name, "fault");
        QCOMPARE(tree.functionOf(tree.nodes[m_view.zoom()].parent).name, "work");
        QVERIFY(m_view.zoomBack());
        QCOMPARE(m_view.zoom(), 0u);
    }

    void otherSamplesKeepTheZoomAsFarAsItIsThere()
    {
        m_view.zoomTo(0, m_view.content().tree->childrenOf(node("work"))[0].parent);
        MadeStacks other;
        other.add("main;init 5");

        m_view.setContent(contentOf(other));

        QCOMPARE(m_view.content().tree->functionOf(m_view.zoom()).name, "main");
    }

    void withTheRootsBelowTheyStandOnTheGround()
    {
        m_view.setRootsBelow(true);

        const QRectF root = m_view.rectOf({0, 0, 1});
        QCOMPARE(int(root.bottom()), m_view.viewport()->height() - 1);
        QVERIFY(m_view.rectOf({0, node("init"), 1}).top() < root.top());
        QCOMPARE(m_view.placeAt(root.center())->node, 0u);
    }

    void aSandwichHasCallersAboveAndCalleesBelow()
    {
        CallTreeOptions options;
        options.function = "fault";
        options.module = "[kernel.kallsyms]";
        options.shape = CallTreeOptions::Shape::Callees;
        FlameContent content = contentOf(made(), options);
        options.shape = CallTreeOptions::Shape::Callers;
        content.callers = contentOf(made(), options).tree;

        m_view.setContent(content);

        QCOMPARE(m_view.parts().size(), std::size_t(2));
        const std::uint32_t init = m_view.parts()[0].tree->childrenOf(1).empty() ? 0 : m_view.parts()[0].tree->nodes[1].firstChild;
        const QRectF function = m_view.rectOf({1, 1, 1});
        const QRectF caller = m_view.rectOf({0, init, 1});
        QCOMPARE(m_view.parts()[0].tree->functionOf(init).name, "init");
        QVERIFY(caller.bottom() <= function.top());
        QVERIFY(std::abs(caller.width() - function.width() * 50 / 60) < 2);
        // The part with the callers does not draw the function itself, because the part with the callees already does.
        QVERIFY(m_view.rectOf({0, 1, 1}).isEmpty());
    }

    void slashAsksForTheSearchField()
    {
        QSignalSpy spy(&m_view, &FlameView::searchRequested);
        QTest::keyClick(&m_view, Qt::Key_Slash);
        QCOMPARE(spy.size(), 1);
    }

    void namesLoseAsLittleAsNeeded()
    {
        const QFont font = fonts().at(11);
        const QString name = QStringLiteral("outer::inner<int, a::b>::Class::run<std::vector<int>>");
        const auto room = [&](const QString& text) { return cachedTextWidth(font, text) + 1; };

        QCOMPARE(elidedFrame(font, name, room(name)), name);
        QCOMPARE(elidedFrame(font, name, room("\u2026Class::run<std::vector<int>>")), "\u2026Class::run<std::vector<int>>");
        QCOMPARE(elidedFrame(font, name, room("\u2026run<std::vector<int>>")), "\u2026run<std::vector<int>>");
        QCOMPARE(elidedFrame(font, name, room("\u2026run<\u2026>")), "\u2026run<\u2026>");
        QVERIFY(elidedFrame(font, "initialization", 40).endsWith("\u2026"));
        QVERIFY(elidedFrame(font, "initialization", 5).isEmpty());
        // If only a part of the function's own name fits, the text has no ellipsis at its beginning.
        QVERIFY(elidedFrame(font, "outer::initialization", 40).startsWith("in"));
        const QString fold = QStringLiteral("shop::fold<std::map<int, std::string>, std::vector<int>>");
        QCOMPARE(elidedFrame(font, fold, room("shop::fold<\u2026>")), "shop::fold<\u2026>");
        QCOMPARE(elidedFrame(font, fold, room("\u2026fold<\u2026>")), "\u2026fold<\u2026>");
        QCOMPARE(elidedFrame(font, "a::operator<<b>", room("\u2026operator<<b>")), "\u2026operator<<b>");
    }

    /// With a search for the longest end among all parts, these names would take minutes.
    void longNamesAreCut()
    {
        const QFont font = fonts().at(11);
        const QString parts = QStringLiteral("ab::").repeated(4000) + "run";
        const QString end = QStringLiteral("\u2026") + QStringLiteral("ab::").repeated(50) + "run";
        QCOMPARE(elidedFrame(font, parts, cachedTextWidth(font, end) + 1), end);

        const QString begin = elidedFrame(font, QStringLiteral("ab::").repeated(250'000), 200);
        QVERIFY(begin.startsWith("ab::ab") && begin.endsWith("\u2026"));
        QVERIFY(cachedTextWidth(font, begin) <= 200);
    }

    void anAddressIsShownInItsModule()
    {
        SampledFunction function;
        function.name = "0x1a2b";
        function.module = "libfoo.so";
        QCOMPARE(frameLabel(function), "libfoo.so+0x1a2b");
        function.name.clear();
        QCOMPARE(frameLabel(function), "[unknown] in libfoo.so");
        function.place = "libfoo.so+0x1a20";
        QCOMPARE(frameLabel(function), "libfoo.so+0x1a20");
        function.name = "run";
        QCOMPARE(frameLabel(function), "run");
    }
};

HELIO_TEST(FlameViewTest)
#include "tst_flame_view.moc"
