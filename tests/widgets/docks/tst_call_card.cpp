// The card of a call in Details: its rank, its breakdown, and the links to its callers.

#include "core/query/rows/facts.h"
#include "core/query/segments/segments.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/details/call_card.h"
#include "widgets/docks/details/call_time_card.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/docks/details/rank_axis.h"
#include "widgets/docks/details/state_details.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

using namespace helio;
using namespace helio::test;

namespace {

CallRank rankAmong(std::vector<std::int64_t> lengths, std::int64_t own)
{
    CallRank rank;
    rank.shorter = std::uint64_t(std::ranges::count_if(lengths, [&](auto it) { return it < own; }));
    rank.longer = std::uint64_t(std::ranges::count_if(lengths, [&](auto it) { return it > own; }));
    rank.lengths = summarizeDurations(std::move(lengths));
    return rank;
}

/// Replaces thin spaces by normal spaces.
QString plain(QString text) { return text.replace(QChar(0x2009), u' ').replace(QChar(0x202f), u' ').replace(QChar(0xa0), u' '); }

QStringList textsIn(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget) && !label->text().isEmpty())
            texts << plain(label->text());
    return texts;
}

} // namespace

class CallCardTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Timeline> m_timeline;

    TrackRef depthRow(int depth) const
    {
        const auto tracks = m_timeline->stores.back().store->tracks();
        const auto found = std::ranges::find(tracks, "calls:100/" + std::to_string(depth), &Track::key);
        return {StoreIndex{1}, TrackId(found - tracks.begin())};
    }

private slots:
    /// Calls: main from 100 to 3000; in main, work from 200 to 600 and from 700 to 800; in the first work, leaf from 300 to 350.
    void initTestCase()
    {
        CallScript script;
        script.call(100, 100, "main").call(200, 100, "work").call(300, 100, "leaf").ret(350, 100, "leaf").ret(600, 100, "work");
        script.call(700, 100, "work").ret(800, 100, "work").ret(3000, 100, "main");
        script.run(4000);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
        timeline->stores.push_back({0, script.sharedStore()});
        m_timeline = timeline;
    }

    void aDepthIsNamedAfterItsThread()
    {
        for (const int depth : {1, 2, 3}) {
            const auto details = stateDetails(m_timeline, depthRow(depth), timestamp(320));
            QVERIFY(details);
            const Store& store = *m_timeline->stores.back().store;
            const auto thread = std::ranges::find(store.tracks(), "calls:100", &Track::key);
            QVERIFY(thread != store.tracks().end() && !thread->label.empty());
            QCOMPARE(details->row.label, thread->label + ", depth " + std::to_string(depth));
        }
    }

    void theRankIsSaidInWords()
    {
        const auto words = [](std::vector<std::int64_t> lengths, std::int64_t own) {
            return plain(rankText(rankAmong(std::move(lengths), own), Duration(own)));
        };
        QCOMPARE(words({5}, 5), "the only call of this function");
        QCOMPARE(words({5, 5, 5}, 5), "all 3 calls took equally long");
        QCOMPARE(words({1, 2, 3, 4}, 4), "slowest of 4");
        QCOMPARE(words({1, 2, 3, 4}, 1), "fastest of 4");
        QCOMPARE(words({1, 2, 3, 4}, 2), "median of 4");
        QCOMPARE(words({1, 2, 3, 4}, 3), "rank 2 of 4 (slowest first), percentile 75");
        QCOMPARE(words({1, 4}, 1), "fastest of 2 and the median");
        QCOMPARE(words({1, 4, 4}, 4), "slowest of 3 and the median");
        std::vector<std::int64_t> thirty(30);
        std::ranges::generate(thirty, [i = 0]() mutable { return ++i; });
        QCOMPARE(words(thirty, 29), "rank 2 of 30 (slowest first), percentile 96.7");
        QCOMPARE(words(thirty, 15), "median of 30");
        std::vector<std::int64_t> many(2010);
        std::ranges::generate(many, [i = 0]() mutable { return ++i; });
        QCOMPARE(words(many, 2010), "slowest of 2 010");
        // 99.95 is not rounded to 100, which only the slowest call has.
        QCOMPARE(words(many, 2009), "rank 2 of 2 010 (slowest first), percentile >99.9");
        CallRank rank = rankAmong({1, 2, 3}, 3);
        rank.unfinished = 2;
        QCOMPARE(rankText(rank, Duration(3)), "slowest of 3; 2 without a recorded exit excluded");
        rank = rankAmong({3}, 3);
        rank.unfinished = 1;
        QCOMPARE(rankText(rank, Duration(3)), "the only call of this function with a recorded exit");
    }

    void theAxisIsLogarithmic()
    {
        const DurationDistribution lengths = summarizeDurations({10, 100, 100'000});
        QCOMPARE(RankAxis::placeOf(Duration(10), lengths, 401), 0);
        QCOMPARE(RankAxis::placeOf(Duration(100), lengths, 401), 100);
        QCOMPARE(RankAxis::placeOf(Duration(100'000), lengths, 401), 400);
        QCOMPARE(RankAxis::placeOf(Duration(7), summarizeDurations({7, 7}), 401), 0);
    }

    void partsAddUpToTheCall()
    {
        CallTime time;
        time.whole = Duration(100);
        time.states = {{StateKind{"a"}, Duration(60)}, {StateKind{"b"}, Duration(30)}};
        const auto parts = CallTimeCard::partsOf(time);
        QCOMPARE(parts.size(), std::size_t(3));
        QVERIFY(!parts.back().state);
        QCOMPARE(parts.back().total, Duration(10));
        time.states.push_back({StateKind{"c"}, Duration(10)});
        QVERIFY(std::ranges::all_of(CallTimeCard::partsOf(time), [](const auto& it) { return it.state.has_value(); }));
    }

    void everythingThatIsKnownOfACallIsShown()
    {
        ViewContext context;
        context.setTimeline(m_timeline);
        context.setTimeFormat({TimeFormat::Mode::Utc});
        const CallNames names(*m_timeline);
        CallCard card(context);
        card.setCall(callFacts(*m_timeline, names, *callAt(*m_timeline, depthRow(2), timestamp(400))));
        const QStringList texts = textsIn(card);
        for (const char* expected : {"work", "400 ns", "prog, depth 2", "100, PID 1", "00:00:00.000 000 200", "00:00:00.000 000 600",
                                     "350 ns, 87.5 %", "250 ns, 62.5 %", "prog.py:7"})
            QVERIFY2(texts.contains(expected), qPrintable(QString(expected) + " is not in " + texts.join(" | ")));
        QVERIFY(!texts.join(' ').contains("only call"));
        card.setRanking({rankAmong({100, 400, 500}, 400), {}});
        QVERIFY(textsIn(card).contains("median of 3"));
        card.setCall({});
        QVERIFY(card.isHidden());
    }

    /// Property: an asynchronous operation belongs to a track; its card names no thread and gives no advice about CPUs. Its arguments are
    /// one line each.
    void anOperationIsOnATrack()
    {
        const OpenedText opened(R"([{"ph":"b","pid":1,"tid":2,"ts":3,"cat":"c","id":1,"name":"load","args":{"url":"u","size":3}},)"
                                R"({"ph":"e","pid":1,"tid":2,"ts":8,"cat":"c","id":1,"name":"load"}])",
                                "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const std::vector<Row> all = rows(*opened.timeline, "call-stack");
        const auto row = std::ranges::find(all, "track:1/1", &Row::id);
        QVERIFY(row != all.end());
        ViewContext context;
        context.setTimeline(opened.timeline);
        const CallNames names(*opened.timeline);
        const CallFacts facts = callFacts(*opened.timeline, names, *callAt(*opened.timeline, row->ref, row->life.begin));
        CallCard card(context);
        card.setCall(facts, recordedSliceFields(opened.timeline, facts));
        const QStringList texts = textsIn(card);
        for (const char* expected : {"Track", "load, depth 1", "Arguments", "url", "u", "size", "3"})
            QVERIFY2(texts.contains(expected), qPrintable(QString(expected) + " is not in " + texts.join(" | ")));
        QVERIFY2(!texts.contains("Thread") && !texts.contains("CPU"), qPrintable(texts.join(" | ")));
    }

    void aMadeUpNumberIsNoTid()
    {
        const OpenedText opened(R"([{"ph":"X","pid":1,"tid":0,"ts":1,"dur":9,"name":"a"}])", "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const std::vector<Row> all = rows(*opened.timeline, "call-stack");
        const auto row = std::ranges::find(all, ValueKind::Frame, &Row::valueKind);
        QVERIFY(row != all.end() && row->tid >= FirstMadeId);
        ViewContext context;
        context.setTimeline(opened.timeline);
        const CallNames names(*opened.timeline);
        CallCard card(context);
        card.setCall(callFacts(*opened.timeline, names, *callAt(*opened.timeline, row->ref, row->life.begin)));
        const QStringList texts = textsIn(card);
        QVERIFY2(texts.contains("tid 0, depth 1") && !texts.contains("TID"), qPrintable(texts.join(" | ")));
    }

    void aCallWithoutAnExitSaysSoAndHasNoRank_data()
    {
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("at");
        QTest::addColumn<QStringList>("expected");
        test::addRow("open", 1, 1500, QStringList{"≥3.000 µs", "still open when the trace ends; duration ≥3.000 µs", "Trace ends"});
        test::addRow("not seen", 2, 1150, QStringList{"100 ns", "exit not recorded; duration unknown", "Drawn to"});
    }
    void aCallWithoutAnExitSaysSoAndHasNoRank()
    {
        QFETCH(int, depth);
        QFETCH(int, at);
        QFETCH(QStringList, expected);
        // At 1200, the exit of the second main also closes cut, whose own exit is missing. The third main (1300) has no exit.
        CallScript script;
        script.call(100, 100, "main").call(200, 100, "cut").ret(300, 100, "cut").ret(400, 100, "main");
        script.call(1000, 100, "main").call(1100, 100, "cut").ret(1200, 100, "main").call(1300, 100, "main").call(1400, 100, "cut");
        script.ret(1450, 100, "cut").run(4300);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
        timeline->stores.push_back({0, script.sharedStore()});
        ViewContext context;
        context.setTimeline(timeline);
        context.time().setFull(rangeOf(*timeline));
        DetailsView view(context);
        view.show();
        context.time().setRow(depthRow(depth));
        context.time().setCursor(timestamp(at));
        const auto* card = view.findChild<CallCard*>();
        for (const QString& it : expected)
            QTRY_VERIFY2(textsIn(*card).contains(it), qPrintable(it + " is not in " + textsIn(*card).join(" | ")));
        QTest::qWait(50); // Waits for the rank, which is computed in the background.
        const QString texts = textsIn(*card).join(" | ");
        QVERIFY2(!texts.contains(" of 3") && !texts.contains("slowest") && !texts.contains("fastest") && !texts.contains("only"),
                 qPrintable(texts));
        QVERIFY(!textsIn(*card).contains("End"));
        context.time().setCursor(timestamp(350)); // Selects a complete call of main.
        context.time().setRow(depthRow(1));
        QTRY_VERIFY(textsIn(*card).contains("slowest of 2; 1 without a recorded exit excluded"));
    }

    void longWordsDoNotWidenTheFields()
    {
        FieldGrid grid;
        grid.begin();
        grid.add("Symbols", QString(400, 'a'));
        grid.end();
        QVERIFY2(grid.minimumSizeHint().width() < 400, qPrintable(QString::number(grid.minimumSizeHint().width())));
    }

    void buttonsScrollWithALowPage()
    {
        ScrollPage page;
        auto* footer = new QWidget;
        footer->setLayout(new QVBoxLayout);
        footer->layout()->addWidget(new QPushButton("Zoom"));
        page.setFooter(footer);
        page.resize(300, 600);
        page.show();
        QCOMPARE(footer->parentWidget(), &page);
        QCOMPARE(footer->geometry().bottom(), 599);
        page.resize(300, 100);
        QCOMPARE(footer->parentWidget(), page.widget());
        QVERIFY(footer->isVisible());
        page.setFooterShown(false);
        page.resize(300, 600);
        QVERIFY(footer->isHidden());
        page.setFooterShown(true);
        QCOMPARE(footer->parentWidget(), &page);
    }

    void aCallersLinkLeadsToItsCall()
    {
        ViewContext context;
        context.setTimeline(m_timeline);
        context.time().setFull(rangeOf(*m_timeline));
        context.time().setRow(depthRow(3));
        context.time().setCursor(timestamp(310));
        const CallNames names(*m_timeline);
        CallCard card(context);
        card.setCall(callFacts(*m_timeline, names, *callAt(*m_timeline, depthRow(3), timestamp(310))));
        QSignalSpy focused(&context, &ViewContext::rowsFocusRequested);
        for (FieldGrid* grid : card.findChildren<FieldGrid*>())
            emit grid->linkActivated("1"); // The card has several field grids. Those that do not contain the link "1" ignore the signal.
        QCOMPARE(context.time().row(), depthRow(1));
        QCOMPARE(context.time().cursor(), timestamp(100));
        QCOMPARE(context.time().selection(), TimeRange({timestamp(100), timestamp(3000)}));
        QCOMPARE(focused.count(), 1);
        context.time().back();
        QCOMPARE(context.time().row(), depthRow(3));
    }

    void detailsFollowTheRowAndTheCursor()
    {
        ViewContext context;
        context.setTimeline(m_timeline);
        context.time().setFull(rangeOf(*m_timeline));
        DetailsView view(context);
        view.show();
        const auto* card = view.findChild<CallCard*>();
        const auto button = [&](const char* text) {
            const auto all = view.findChildren<QPushButton*>();
            return std::ranges::any_of(all, [&](const QPushButton* it) { return it->text() == text && it->isVisibleTo(&view); });
        };
        context.time().setRow(depthRow(2));
        context.time().setCursor(timestamp(400));
        QTRY_VERIFY(textsIn(*card).contains("slowest of 2"));
        QVERIFY(button("Zoom to call"));
        context.time().setCursor(timestamp(750));
        QTRY_VERIFY(textsIn(*card).contains("fastest of 2 and the median"));
        QVERIFY(textsIn(*card).contains("100 ns"));
        context.time().setCursor(timestamp(650)); // At 650, between the two calls of work, no call of this depth is open.
        QTRY_VERIFY(card->isHidden());
        const auto threads = rows(*m_timeline, "control-flow");
        context.time().setRow(threads.front().ref);
        QTRY_VERIFY(button("Zoom to state"));
        QVERIFY(card->isHidden());
    }
};

HELIO_TEST(CallCardTest)
#include "tst_call_card.moc"
