// The Requests dock: rows, sorting, alignment and links.

#include "core/query/rows/state_causes.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/requests/request_model.h"
#include "widgets/docks/requests/requests_view.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/path_choice.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace helio;
using namespace helio::test;

namespace {

struct Order {
    std::int64_t begin;
    std::int64_t end;
    const char* name;
};
/// Two requests, with begin and end in ns: "A" waits for thread 8, "B" does not wait.
const std::vector<Order> twoOrders{{50, 350, "A"}, {60, 95, "B"}};

/// Makes a store with these requests of thread 7.
std::shared_ptr<const Store> storeOfOrders(const std::vector<Order>& orders)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    SegmentKind kind;
    kind.id = "order";
    kind.title = "Orders";
    kind.hasFields = true;
    const SegmentKindId id = *builder->segments().addKind(kind);
    for (const auto& [begin, end, name] : orders)
        builder->segments().add(
            {hostTime(begin), hostTime(end), static_cast<std::int64_t>(builder->string("tid=7")), builder->string(name), NoTrack, id});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(500)};
    return *builder->finish(summary);
}

struct Shown {
    MadeMachines made;
    ViewContext context;
    RequestsView view{context};
    TrackRef thread;

    explicit Shown(const std::vector<Order>& orders = twoOrders)
    {
        const auto trace = made.add(twoThreads(), "host", 500);
        if (!orders.empty())
            made.addStore(trace, storeOfOrders(orders));
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        thread = threadRow(*timeline, trace, 7, timestamp(50));
        context.time().setFull(timeline->range);
        view.resize(900, 300);
        if (!orders.empty())
            view.restore({{"kind", "order"}});
        view.show();
        context.setTimeline(timeline);
    }
    /// Names and durations of the listed requests: "A 300 ns".
    QString lines() const
    {
        QStringList all;
        for (int line = 0; line < view.model().rowCount(); ++line)
            all << QString("%1 %2").arg(view.model().line(line).name.c_str()).arg(view.model().line(line).range.duration().count());
        return all.join(", ");
    }
    QTreeView* table() const { return view.findChild<QTreeView*>(); }
    QString words() const
    {
        QString all;
        for (const QLabel* label : view.findChildren<QLabel*>())
            all += label->text();
        return all;
    }
    QAction* offered(QMenu& menu, const QString& text)
    {
        view.fillOfferedMenus(menu);
        for (QAction* it : menu.actions())
            if (it->text() == text)
                return it;
        return nullptr;
    }
};

/// Adds `count` requests to the model, each with a running part and a wait for the rest of its duration.
RequestModel& filled(RequestModel& model, std::size_t count, std::size_t ofAll = 0)
{
    std::vector<RequestPath> all;
    for (std::size_t i = 0; i < count; ++i) {
        RequestPath it;
        it.range = {timestamp(std::int64_t(1000 * i)), timestamp(std::int64_t(1000 * i + 100 + i))};
        it.name = "r" + std::to_string(i);
        it.parts[std::size_t(PathKind::Running)] = Duration(100);
        it.parts[std::size_t(PathKind::Disk)] = Duration(std::int64_t(i));
        all.push_back(std::move(it));
    }
    model.setRequests(nullptr, std::move(all), {}, {}, ofAll);
    return model;
}

Pill* pill(const Shown& shown, const QString& text)
{
    for (Pill* it : shown.view.findChildren<Pill*>())
        if (it->text() == text)
            return it;
    return nullptr;
}

} // namespace

class RequestsViewTest : public QObject {
    Q_OBJECT

private slots:
    void theSlowestComesFirst()
    {
        Shown it;
        QTRY_COMPARE(it.lines(), QString("A 300, B 35"));
        it.table()->sortByColumn(RequestModel::Begin, Qt::AscendingOrder);
        it.table()->sortByColumn(RequestModel::Length, Qt::AscendingOrder);
        QCOMPARE(it.lines(), QString("B 35, A 300"));
    }

    /// Property: until the user chooses a kind, system calls come before other kinds. With a selected thread, only its calls are listed.
    void systemCallsOfTheSelectedThreadComeFirst()
    {
        Shown it;
        it.view.restore({});
        QTRY_VERIFY(!it.view.isBusy());
        QCOMPARE(it.view.kind(), QStringLiteral("syscall"));
        QCOMPARE(it.view.model().rowCount(), 1); // The only request is a system call of thread 8.
        Pill* const ofThread = pill(it, "Selected thread");
        QVERIFY(!ofThread->isEnabled()); // No thread is selected.
        it.context.time().setRow(it.thread);
        QTRY_COMPARE(it.view.model().rowCount(), 0);
        QTRY_VERIFY2(it.words().contains("Switch off “Selected thread”"), qPrintable(it.words()));
        const TrackRef other = threadRow(*it.context.timeline(), 0, 8, timestamp(200));
        it.context.time().setRow(other);
        QTRY_COMPARE(it.view.model().rowCount(), 1);
        QCOMPARE(it.view.model().line(0).thread, other);
        it.context.time().setRow(it.thread);
        QTRY_COMPARE(it.view.model().rowCount(), 0);
        QVERIFY(!it.view.save().contains("kind")); // The default is not a choice of the user.
        QVERIFY(ofThread->isChecked());
        ofThread->click();
        QTRY_COMPARE(it.view.model().rowCount(), 1);
        QCOMPARE(it.view.save()["selectedThread"], QJsonValue(false));
    }

    /// Property: if the list contains requests of all threads, activating a request does not limit the list to the request's thread.
    void choosingARequestKeepsThoseOfOtherThreads()
    {
        Shown it;
        it.view.restore({});
        QTRY_VERIFY(!it.view.isBusy());
        QCOMPARE(it.view.model().rowCount(), 1); // The only request is a system call of thread 8.
        emit it.table()->activated(it.table()->model()->index(0, 0));
        QTRY_VERIFY(it.context.time().row().isValid());
        QVERIFY(!pill(it, "Selected thread")->isChecked());
        it.context.time().setRow(it.thread); // Selects thread 7, which has no system calls.
        QTest::qWait(100);
        QTRY_VERIFY(!it.view.isBusy());
        QCOMPARE(it.view.model().rowCount(), 1);
    }

    /// Property: in the lowest bottom dock, the list is above the legend, and nothing needs scrolling.
    void everythingFitsIntoALowDock()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        it.view.resize(900, 160 - 28);
        QVERIFY2(it.view.layout()->heightForWidth(900) <= 160 - 28, qPrintable(QString::number(it.view.layout()->heightForWidth(900))));
    }

    /// Property: the dock offers to enable the analysis of server requests if it can run, and then lists what it finds.
    void serverRequestsAreOffered()
    {
        Shown it;
        QTRY_VERIFY(!it.view.isBusy());
        Pill* const offer = pill(it, "Enable server requests");
        QVERIFY(!offer->isVisible());
        AnalysisEntry analysis;
        analysis.id = "server-requests";
        AnalysisList::of(it.context).set({analysis}, {});
        QVERIFY(offer->isVisible());
        QSignalSpy switched(&AnalysisList::of(it.context), &AnalysisList::switchRequested);
        offer->click();
        QCOMPARE(switched.count(), 1);
        QCOMPARE(switched.front(), (QVariantList{"server-requests", true}));
        QCOMPARE(it.view.save()["kind"], QJsonValue("server-requests"));
        analysis.isOn = true;
        AnalysisList::of(it.context).set({analysis}, {});
        QVERIFY(!offer->isVisible());
    }

    void causesAreListedByTheirTime()
    {
        RequestModel model;
        filled(model, 30);
        QCOMPARE(model.causes(), (std::vector{PathKind::Running, PathKind::Disk}));
        filled(model, 3000);
        QCOMPARE(model.causes(), (std::vector{PathKind::Disk, PathKind::Running}));
    }

    void aClickLeadsToIt()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        emit it.table()->activated(it.table()->model()->index(0, 0));
        QCOMPARE(it.context.time().row(), it.thread);
        QCOMPARE(it.context.time().selection(), (TimeRange{timestamp(50), timestamp(350)}));
        emit it.table()->doubleClicked(it.table()->model()->index(0, 0));
        QCOMPARE(PathChoice::of(it.context).question(), (PathRequest{it.thread, {timestamp(50), timestamp(350)}}));
    }

    void aSavedKindThatTheTracesLackIsNamed()
    {
        Shown it;
        it.view.restore({{"kind", "payments"}});
        QTRY_VERIFY2(it.words().contains(QString::fromUtf8("no requests of the saved kind \u201cpayments\u201d; ")),
                     qPrintable(it.words()));
        QVERIFY2(it.words().contains(" are listed instead."), qPrintable(it.words()));
        QCOMPARE(it.view.save()["kind"].toString(), QString("payments")); // Other traces may have it.
        it.view.restore({{"kind", "order"}});
        QTRY_VERIFY2(!it.words().contains("payments"), qPrintable(it.words()));
    }

    void itSaysWhatToDoWhereThereIsNothing()
    {
        Shown it(std::vector<Order>{});
        QTRY_COMPARE(it.view.model().rowCount(), 1); // The only request is a system call.
        it.context.setTimeline(std::make_shared<const Timeline>());
        QTRY_VERIFY2(it.words().contains("Server requests in the Analysis menu"), qPrintable(it.words()));
        it.context.setTimeline({});
        QCOMPARE(it.view.model().rowCount(), 0);
    }

    void alignedItIsLanesAlone()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        it.view.setAligned(true);
        QVERIFY(it.table()->isColumnHidden(RequestModel::Name) && !it.table()->isColumnHidden(RequestModel::Parts));
        QVERIFY(it.table()->model()->headerData(RequestModel::Parts, Qt::Horizontal).toString().contains("300 ns"));
        QVERIFY(it.view.save()["aligned"].toBool());
        Shown other;
        other.view.restore(it.view.save());
        QVERIFY(other.view.model().areAligned());
        other.view.restore({});
        QVERIFY(!other.view.model().areAligned());
    }

    void whatTheyWaitedForIsAskedForTogether()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        QSignalSpy shown(&it.context, &ViewContext::viewRequested);
        QMenu menu;
        it.offered(menu, "Critical path of all listed requests")->trigger();
        const auto together = PathChoice::of(it.context).shownGroup();
        QVERIFY(together);
        QCOMPARE(together->paths.size(), std::size_t(2));
        QCOMPARE(shown.count(), 1);
        PathChoice::of(it.context).setQuestion({});
        QVERIFY(!PathChoice::of(it.context).shownGroup());
    }

    /// Property: the command shows the critical path of the selected request: the path is requested for the request's range, the visible
    /// range is this range, and the dock of the path opens.
    void thePathOfTheChosenOneIsShownEverywhere()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        QSignalSpy shown(&it.context, &ViewContext::viewRequested);
        it.table()->setCurrentIndex(it.table()->model()->index(0, 0));
        QMenu menu;
        it.offered(menu, "Critical path of selected request")->trigger();
        const TimeRange range{timestamp(50), timestamp(350)};
        QCOMPARE(PathChoice::of(it.context).question(), (PathRequest{it.thread, range}));
        QCOMPARE(it.context.time().visible(), range);
        QVERIFY(PathChoice::of(it.context).shownGroup());
        QCOMPARE(PathChoice::of(it.context).shownGroup()->name, QString("A, 300 ns"));
        QCOMPARE(shown.count(), 1);
        QCOMPARE(shown.front().front().toString(), QString("waited_for"));
    }

    /// Input: three requests "A" of 10, 20 and 300 ns, and a request "B". Property: the selected request "A" of 300 ns is compared with the
    /// median of the requests "A" only.
    void theChosenOneIsComparedWithTheTypicalOne()
    {
        Shown it({{50, 350, "A"}, {60, 95, "B"}, {380, 390, "A"}, {395, 415, "A"}});
        QTRY_COMPARE(it.lines(), QString("A 300, B 35, A 20, A 10"));
        PathGroup a, b;
        connect(&PathChoice::of(it.context), &PathChoice::comparisonWanted, this, [&](const PathGroup& typical, const PathGroup& chosen) {
            a = typical;
            b = chosen;
        });
        QMenu without;
        QVERIFY(!it.offered(without, "Compare selected with median")->isEnabled());
        it.table()->setCurrentIndex(it.table()->model()->index(0, 0));
        QMenu menu;
        it.offered(menu, "Compare selected with median")->trigger();
        QCOMPARE(b.paths.front().range, (TimeRange{timestamp(50), timestamp(350)}));
        QCOMPARE(a.paths.front().range, (TimeRange{timestamp(395), timestamp(415)}));
        QVERIFY2(a.name.startsWith("Median of 3 requests, "), qPrintable(a.name));
        QMenu few;
        QVERIFY(!it.offered(few, "Compare slowest 1 % with the rest")->isEnabled());
    }

    /// Property: if no other request has the name of the selected request, a remark is shown instead of a comparison.
    void theOnlyOneOfItsNameIsNotCompared()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        QSignalSpy compared(&PathChoice::of(it.context), &PathChoice::comparisonWanted);
        QSignalSpy said(&it.context, &ViewContext::remark);
        it.table()->setCurrentIndex(it.table()->model()->index(0, 0));
        QMenu menu;
        it.offered(menu, "Compare selected with median")->trigger();
        QCOMPARE(compared.count(), 0);
        QCOMPARE(said.count(), 1);
    }

    void theSlowestHundredthIsTold()
    {
        RequestModel model;
        QCOMPARE(filled(model, 200).slowest().size(), std::size_t(2));
        QCOMPARE(model.others().size(), std::size_t(198));
        QCOMPARE(model.slowest().front()->name, std::string("r198"));
        QVERIFY2(model.difference().contains("disk"), qPrintable(model.difference()));
        model.setFilter("r1"); // Accepts r1, r10 to r19, r100 to r199.
        QCOMPARE(model.listed().size(), std::size_t(111));
        QCOMPARE(model.slowest().size(), std::size_t(1));
        QCOMPARE(model.slowest().front()->name, std::string("r199"));
        QCOMPARE(model.others().size(), std::size_t(110));
        QVERIFY2(model.difference().contains("of 111 "), qPrintable(model.difference()));
        QVERIFY(!model.mayLackMatches());
        RequestModel few;
        QVERIFY(filled(few, 19).areTooFew() && few.slowest().empty() && few.difference().isEmpty());
        RequestModel none;
        QVERIFY(filled(none, 0).listed().empty());
    }

    /// Input: 1,000 requests, of which the list keeps the longest 200. Property: each listed request has its rank among all 1,000, and the
    /// model reports that a filter may miss matching requests.
    void theLongestOfMany()
    {
        RequestModel model;
        filled(model, 200, 1000);
        QCOMPARE(model.missing(), std::size_t(800));
        model.sort(RequestModel::Length, Qt::AscendingOrder);
        QCOMPARE(model.index(0, RequestModel::Rank).data().toString(), QString("p80.1"));
        QCOMPARE(model.index(199, RequestModel::Rank).data().toString(), QString("p100.0"));
        QVERIFY(!model.typical(model.line(0))); // The typical request is unknown, because shorter requests are not in the list.
        QVERIFY(!model.mayLackMatches());
        model.setFilter("r7");
        QVERIFY(model.mayLackMatches() && model.missing() == 0);
    }

    /// Property: if the window gets a new timeline because a critical path is shown, the view does not search for requests again.
    void theListStaysWhereAPathIsShown()
    {
        Shown it;
        QTRY_COMPARE(it.view.model().rowCount(), 2);
        it.table()->setCurrentIndex(it.table()->model()->index(1, 0));
        it.context.setTimeline(std::make_shared<const Timeline>(*it.context.timeline()));
        QVERIFY(!it.view.isBusy());
        QCOMPARE(it.table()->currentIndex().row(), 1);
    }
};

HELIO_TEST(RequestsViewTest)
#include "tst_requests_view.moc"
