// The Lock statistics dock: content and order of its tables, and messages for a damaged or missing text of /proc/lock_stat.

#include "core/store/store.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/lock_stat/lock_stat_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

using namespace helio;

namespace {

const QString Path = QStringLiteral(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt");

/// Replaces thin spaces, dashes and micro signs by ASCII.
QString plain(QString text)
{
    return text.replace(QChar(0x2009), ' ').replace(QChar(0x202f), ' ').replace(QChar(0x2013), '-').replace(QChar(0xb5), 'u');
}

QStringList linesOf(const QAbstractItemModel& model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << plain(model.index(row, column).data().toString());
        lines << cells.join(" | ");
    }
    return lines;
}

std::shared_ptr<const Timeline> timelineWithLocks(std::initializer_list<const char*> labels)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    const StateSetId states = *builder->stateSet(test::statesNamed("lock", {"unknown", "held"}));
    for (const char* label : labels) {
        Track track;
        track.view = "locks";
        track.kind = "lock";
        track.key = label;
        track.label = label;
        track.states = states;
        builder->set(hostTime(0), builder->addTrack(track), State(1));
    }
    auto timeline = std::make_shared<Timeline>();
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(100)};
    addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>()});
    timeline->isComplete = true;
    return timeline;
}

QString readAll()
{
    QFile file(Path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class LockStatViewTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_view.reset();
        m_context = std::make_unique<ViewContext>();
        m_view = std::make_unique<LockStatView>(*m_context);
        m_view->resize(1400, 300);
        m_view->show();
    }

    void withoutATextItSaysHowToGetOne()
    {
        const auto& page = *m_view->findChild<EmptyPage*>();
        QVERIFY(page.isVisible());
        QVERIFY(page.accessibleName().contains("/proc/lock_stat is open"));
        for (const char* word : {"CONFIG_LOCK_STAT", "echo 1 > /proc/sys/kernel/lock_stat", "cat /proc/lock_stat > lock_stat.txt"})
            QVERIFY2(page.accessibleDescription().contains(word), word);
        QString asked;
        connect(m_context.get(), &ViewContext::actionRequested, this, [&](const QString& id) { asked = id; });
        emit m_view->findChild<EmptyPage*>()->buttonClicked();
        QCOMPARE(asked, "file.open");
    }

    void listsAllThatTheFileHas()
    {
        give(readAll());
        QVERIFY(classes().isVisible());
        QCOMPARE(
            linesOf(*classes().model()),
            QStringList({"&mm->mmap_lock-W | 45 | 9.021 ms | 812.440 us | 200.470 us | 310 ns | 88 121 | 51.230 s | 1.830 s | 581.360 us | "
                         "120 ns | 31 | 3 120",
                         "&mm->mmap_lock-R | 19 | 6.120 ms | 2.104 ms | 322.120 us | 1.020 us | 441 120 | 1.120 s | 6.612 ms | 2.540 us | "
                         "90 ns | 12 | 9 921",
                         "(work_completion)(&vc->w 2) | 2 | 1.250 us | 750 ns | 630 ns | 500 ns | 10 | 5.500 us | 1.000 us | 550 ns | "
                         "100 ns | 1 | 9",
                         "&rq->__lock#2 | 0 | - | - | - | - | 512 | 100.000 us | 2.200 us | 200 ns | 50 ns | 0 | 3"}));
        QCOMPARE(sums(), "4 classes: 66 contentions, waited 15.143 ms; 529 763 acquisitions, held 52.351 s");
        QVERIFY(m_view->findChild<NoticeBar*>()->text().isEmpty());
    }

    void titlesSort()
    {
        give(readAll());
        const auto names = [&] {
            QString all;
            for (int row = 0; row < classes().model()->rowCount(); ++row)
                all += QString(" %1").arg(model().place(row));
            return all.trimmed();
        };
        const std::pair<int, const char*> orders[] = {
            {LockClassModel::Contentions, "0 1 2 3"},  {LockClassModel::Waited, "0 1 2 3"},       {LockClassModel::LongestWait, "1 0 2 3"},
            {LockClassModel::MeanWait, "1 0 2 3"},     {LockClassModel::ShortestWait, "1 2 0 3"}, {LockClassModel::Acquisitions, "1 0 3 2"},
            {LockClassModel::Held, "0 1 3 2"},         {LockClassModel::LongestHold, "0 1 3 2"},  {LockClassModel::MeanHold, "0 1 2 3"},
            {LockClassModel::ShortestHold, "0 2 1 3"}, {LockClassModel::WaitBounces, "0 1 2 3"},  {LockClassModel::Bounces, "1 0 2 3"}};
        for (const auto& [column, order] : orders) {
            classes().sortByColumn(column, Qt::DescendingOrder);
            QCOMPARE(names(), order);
        }
        // A class without waits has an unknown waiting time, which is sorted before all times.
        classes().sortByColumn(LockClassModel::Waited, Qt::AscendingOrder);
        QCOMPARE(names(), "3 2 1 0");
        classes().sortByColumn(LockClassModel::Name, Qt::AscendingOrder);
        QCOMPARE(names(), "1 0 3 2");
    }

    /// Property: the filter matches the names of lock classes and the functions at their contention points.
    void theFilterLeavesWhatHoldsIt()
    {
        give(readAll());
        auto& filter = *m_view->findChild<QLineEdit*>();
        filter.setText("MMAP_LOCK");
        QCOMPARE(model().rowCount(), 2);
        QCOMPARE(sums(), "2 of 4 classes: 64 contentions, waited 15.142 ms; 529 241 acquisitions, held 52.351 s");
        filter.setText("process_one");
        QCOMPARE(model().rowCount(), 1);
        QCOMPARE(model().lockClass(0).name, "(work_completion)(&vc->w 2)");
        filter.setText("vm_munmap");
        QCOMPARE(model().rowCount(), 2);
        filter.setText("nothing");
        QCOMPARE(model().rowCount(), 0);
        QCOMPARE(sums(), "0 of 4 classes: 0 contentions, waited 0 s; 0 acquisitions, held 0 s");
        QTest::keyClick(&filter, Qt::Key_Escape);
        QCOMPARE(model().rowCount(), 4);
    }

    void theChosenClassHasItsPlacesBesideIt()
    {
        give(readAll());
        const QStringList ofBoth{"waited | 40 | vm_mmap_pgoff+0x83/0x150 | 0xffffffff8112f0a3",
                                 "waited | 24 | do_user_addr_fault+0x1c4/0x690 | 0x00000000c4e2f91b",
                                 "held | 38 | vm_mmap_pgoff+0x83/0x150 | 0xffffffff8112f0a3",
                                 "held | 26 | __vm_munmap+0x67/0x110 | 0xffffffff8111c2d7"};
        QVERIFY(points().isVisible()); // The first class is selected at the beginning.
        QCOMPARE(classes().currentIndex().row(), 0);
        QCOMPARE(linesOf(*points().model()), ofBoth);
        choose(1);
        QCOMPARE(linesOf(*points().model()), ofBoth);
        choose(2);
        QCOMPARE(linesOf(*points().model()),
                 QStringList({"waited | 2 | process_one_work+0x1a0/0x3c0 | 0xffffffff8106aa10",
                              "held | 2 | process_one_work+0x1a0/0x3c0 | 0xffffffff8106aa10"}));
        // The selected class stays selected when the sort order changes, and when a filter that hid it is removed.
        classes().sortByColumn(LockClassModel::Contentions, Qt::AscendingOrder);
        QCOMPARE(classes().currentIndex().row(), 1);
        QCOMPARE(points().model()->rowCount(), 2);
        m_view->findChild<QLineEdit*>()->setText("mmap");
        QVERIFY(!points().isVisible());
        m_view->findChild<QLineEdit*>()->clear();
        QCOMPARE(points().model()->rowCount(), 2);
        choose(0);
        QCOMPARE(linesOf(*points().model()), QStringList());
        QVERIFY(label("no place that waited for it"));
    }

    /// Property: the selected row of the time panels changes only when the user selects a lock class, not when the first class is selected
    /// by default, and not when classes are sorted or filtered.
    void theRowOfTheChosenLockIsSelected()
    {
        m_context->setTimeline(timelineWithLocks({"&mm->mmap_lock rwsem", "0xffff888100044880 mutex", "&rq->__lock#2"}));
        const auto row = [](int number) { return TrackRef{StoreIndex{0}, TrackId(number)}; };
        give(readAll());
        classes().sortByColumn(LockClassModel::Name, Qt::AscendingOrder);
        QTest::qWait(50);
        QVERIFY(!m_context->time().row().isValid());
        choose(3); // The class (work_completion)(&vc->w 2) has no row in the time panels.
        choose(0);
        QTRY_COMPARE(m_context->time().row(), row(0));
        choose(2);
        QTRY_COMPARE(m_context->time().row(), row(2));
        choose(3);
        QTest::qWait(50);
        QCOMPARE(m_context->time().row(), row(2));
    }

    void copiedAsItIsListed()
    {
        give(readAll().replace("&rq->__lock#2", "a,\"b"));
        classes().sortByColumn(LockClassModel::Contentions, Qt::AscendingOrder);
        m_view->findChild<QLineEdit*>()->setText("b");
        for (auto* pill : m_view->findChildren<Pill*>())
            pill->click();
        QCOMPARE(QApplication::clipboard()->text(),
                 "class,contentions,wait_min_ns,wait_max_ns,wait_total_ns,wait_mean_ns,acquisitions,hold_min_ns,hold_max_ns,hold_total_ns,"
                 "hold_mean_ns,contention_bounces,acquisition_bounces\n"
                 "\"a,\"\"b\",0,0,0,0,0,512,50,2200,100000,200,0,3\n");
    }

    void whatIsDamagedIsSaidWithItsLine()
    {
        give(readAll().replace("812.44", "much"));
        QCOMPARE(model().rowCount(), 3);
        const auto& notice = *m_view->findChild<NoticeBar*>();
        QCOMPARE(plain(notice.text()),
                 "lock_stat_0.4.txt:6: not a class line: \"much\" is not a time in us with two decimals, in column "
                 "waittime-max");
        give(readAll().replace("812.44", "much").replace("6120.33", "more").replace("1.25 ", "less "));
        QCOMPARE(model().rowCount(), 1);
        QVERIFY2(plain(notice.text()).endsWith("waittime-max - and 2 more such lines"), qPrintable(notice.text()));
        emit m_view->findChild<NoticeBar*>()->linkActivated("copy");
        QCOMPARE(plain(QApplication::clipboard()->text()).split('\n'),
                 QStringList({"lock_stat_0.4.txt:6: not a class line: \"much\" is not a time in us with two decimals, in column "
                              "waittime-max",
                              "lock_stat_0.4.txt:7: not a class line: \"more\" is not a time in us with two decimals, in column "
                              "waittime-total",
                              "lock_stat_0.4.txt:17: not a class line: \"less\" is not a time in us with two decimals, in column "
                              "waittime-total",
                              ""}));
        give(readAll());
        QVERIFY(notice.text().isEmpty());
    }

    void whatCannotBeReadIsSaidInItsPlace()
    {
        give(readAll());
        auto read = std::make_shared<ReadLockStat>();
        read->problem = "/tmp/a/lock_stat.txt: missing header line, which begins with \"class name\"";
        LockStatText::of(*m_context).begin("/tmp/a/lock_stat.txt");
        const auto& page = *m_view->findChild<EmptyPage*>();
        QVERIFY(page.isVisible() && page.accessibleName().startsWith("Reading lock_stat.txt"));
        LockStatText::of(*m_context).set(read);
        QCOMPARE(page.accessibleName(), "Cannot read lock_stat.txt.");
        QCOMPARE(page.accessibleDescription(), read->problem);
        // Input: a text without lock classes, then a text whose only class line is damaged. Property: the page explains why it shows no
        // lock classes.
        give(readAll().section('\n', 0, 3) + '\n');
        QVERIFY(page.accessibleName().endsWith("contains no lock classes.")
                && page.accessibleDescription().contains("/proc/sys/kernel/lock_stat"));
        give(readAll().section('\n', 0, 3) + "\na: 1\n");
        QVERIFY2(page.accessibleDescription().startsWith("lock_stat_0.4.txt:5: not a class line"),
                 qPrintable(page.accessibleDescription()));
        LockStatText::of(*m_context).close();
        QVERIFY(page.accessibleName().startsWith("No copy of a kernel"));
    }

    /// Input: a text without mean times, which old kernels print. Property: the means are computed from totals and counts.
    void ofAnOldKernel()
    {
        give("lock_stat version 0.3\nclass name con-bounces contentions waittime-min waittime-max waittime-total acq-bounces acquisitions "
             "holdtime-min holdtime-max holdtime-total\nnet/core/sock.c:42: 1 2 0.10 0.20 0.30 4 5 0.40 0.50 0.90\n");
        QCOMPARE(linesOf(model()),
                 QStringList("net/core/sock.c:42 | 2 | 300 ns | 200 ns | 150 ns | 100 ns | 5 | 900 ns | 500 ns | 180 ns | 400 ns | 1 | 4"));
    }

    void choicesAreKept()
    {
        give(readAll());
        choose(1);
        classes().sortByColumn(LockClassModel::Held, Qt::AscendingOrder);
        m_view->findChild<QLineEdit*>()->setText("lock");
        const QJsonObject kept = m_view->save();
        LockStatView other(*m_context);
        other.restore(kept);
        QCOMPARE(other.save(), kept);
        QCOMPARE(other.findChild<QLineEdit*>()->text(), "lock");
        const auto* table = other.findChild<QTreeView*>("classes");
        QCOMPARE(linesOf(*table->model()), linesOf(model()));
        QCOMPARE(table->currentIndex().row(), classes().currentIndex().row());
        other.restore({{"sort", "nonsense"}});
        QCOMPARE(other.save(), (QJsonObject{{"sort", "contentions"}, {"descending", true}, {"filter", ""}, {"class", ""}}));
    }

private:
    void give(const QString& text)
    {
        auto read = std::make_shared<ReadLockStat>();
        const auto stat = parseLockStat(text.toStdString());
        QVERIFY(bool(stat));
        read->stat = *stat;
        LockStatText::of(*m_context).begin(Path);
        LockStatText::of(*m_context).set(read);
    }
    void choose(int row) { classes().setCurrentIndex(classes().model()->index(row, 0)); }
    QTreeView& classes() { return *m_view->findChild<QTreeView*>("classes"); }
    QTreeView& points() { return *m_view->findChild<QTreeView*>("places"); }
    const LockClassModel& model() { return static_cast<const LockClassModel&>(*classes().model()); }
    bool label(const QString& part)
    {
        const auto all = m_view->findChildren<QLabel*>();
        return std::ranges::any_of(all, [&](const QLabel* it) { return it->isVisible() && it->text().contains(part); });
    }
    QString sums()
    {
        for (const auto* it : m_view->findChildren<QLabel*>())
            if (it->text().contains("acquisitions, held"))
                return plain(it->text());
        return {};
    }

    std::unique_ptr<ViewContext> m_context;
    std::unique_ptr<LockStatView> m_view;
};

HELIO_TEST(LockStatViewTest)

#include "tst_lock_stat_view.moc"
