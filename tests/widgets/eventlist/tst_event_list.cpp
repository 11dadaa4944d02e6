#include "tests/support/test_program.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>

using namespace helio;

namespace {

/// An event source with `size` events, one every 10 ns, and no trace.
class FakeSource final : public EventSource {
public:
    FakeSource(std::uint64_t size, std::shared_ptr<std::atomic<int>> reads)
        : m_size(size)
        , m_reads(std::move(reads))
    {
    }
    std::uint64_t size() const override { return m_size; }
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token) override
    {
        ++*m_reads;
        std::vector<EventRow> result;
        for (std::uint64_t i = first; i < std::min(m_size, first + count); ++i) {
            EventRow row;
            row.index = i;
            row.time = timestamp(std::int64_t(i) * 10);
            row.name = "event " + std::to_string(i);
            row.fields = {{"number", FieldValue{std::int64_t(i)}}, {"half", FieldValue{std::int64_t(i / 2)}}};
            row.cpu = i >= 500'000 ? 1 : -1;
            result.push_back(row);
        }
        return result;
    }
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) override
    {
        std::vector<EventRow> result;
        for (const std::uint64_t number : numbers)
            for (EventRow& row : rows(number, 1, stop))
                result.push_back(std::move(row));
        return result;
    }
    std::uint64_t indexAt(Timestamp at, std::stop_token) override
    {
        return std::min<std::uint64_t>(m_size, std::uint64_t(nanoseconds(at) + 9) / 10);
    }

private:
    std::uint64_t m_size;
    std::shared_ptr<std::atomic<int>> m_reads;
};

/// An event source with one event.
class BareSource : public EventSource {
public:
    BareSource(std::int32_t cpu, std::int64_t tid) { m_row.cpu = cpu, m_row.tid = tid; }
    std::uint64_t size() const override { return 1; }
    std::vector<EventRow> rows(std::uint64_t, std::size_t, std::stop_token) override { return {m_row}; }
    std::vector<EventRow> rows(std::span<const std::uint64_t>, std::stop_token) override { return {m_row}; }
    std::uint64_t indexAt(Timestamp, std::stop_token) override { return 0; }

private:
    EventRow m_row;
};

struct Fixture {
    explicit Fixture(std::uint64_t size)
    {
        list.resize(800, 22 + 10 * 20);
        list.pages().setSource([size, r = reads] { return std::make_unique<FakeSource>(size, r); });
        list.show();
    }
    QString nameAt(int line) { return list.model().index(line, EventModel::Name).data().toString(); }
    std::shared_ptr<std::atomic<int>> reads = std::make_shared<std::atomic<int>>(0);
    EventList list;
};

QString eventName(std::uint64_t i) { return QString("event %1").arg(i); }

} // namespace

class EventListTest : public QObject {
    Q_OBJECT

private slots:
    void anEventWithoutATimeIsNotAt0()
    {
        EventRow row;
        row.name = "cycles";
        row.hasTime = false;
        QCOMPARE(eventsAsText({row}, {}).split('\n').at(1), QString("\t\t\tcycles\t"));
        QVERIFY(eventsAsCsv({row}).split("\r\n").at(1).startsWith(",0,"));
        row.hasTime = true;
        QVERIFY(eventsAsCsv({row}).split("\r\n").at(1).startsWith("0,0,"));
    }

    void emptyListSaysWhyItIsEmpty()
    {
        const QString why = "The events are elsewhere.";
        const auto isSaid = [&](const Fixture& f) {
            const auto labels = f.list.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->isVisible() && label->text() == why; });
        };
        Fixture empty(0), filled(10);
        QTRY_COMPARE(filled.list.pages().size(), std::uint64_t(10));
        QVERIFY(!isSaid(empty));
        empty.list.setEmptyText(why);
        filled.list.setEmptyText(why);
        QTRY_VERIFY(isSaid(empty));
        QVERIFY(!isSaid(filled));
        empty.list.setEmptyText({});
        QVERIFY(!isSaid(empty));
    }

    void aListIsSavedWholeOrTheReasonIsSaid()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("events.csv");
        Fixture f(25'000);
        EventPages& pages = f.list.pages();
        QTRY_COMPARE(pages.size(), std::uint64_t(25'000));
        std::vector<Status> ends;
        const auto end = [&](const Status& saved) { ends.push_back(saved); };
        pages.setCompleteness([] { return Error{Error::Kind::Unsupported, "searching"}; });
        pages.saveCsv(path, end);
        QVERIFY(ends.size() == 1 && ends[0].error().what == "searching");
        QVERIFY(!QFile::exists(path));
        pages.setCompleteness([] { return Done{}; });
        QSignalSpy progress(&pages, &EventPages::savedShareChanged);
        pages.saveCsv(path, end);
        QVERIFY(pages.savedShare());
        pages.saveCsv(folder.filePath("second.csv"), end); // The second file is refused while the first one is being written.
        QVERIFY(ends.size() == 2 && !ends[1]);
        QTRY_COMPARE(ends.size(), std::size_t(3));
        QVERIFY(ends[2] && !pages.savedShare());
        QVERIFY(progress.count() > 3);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 25'001);
        pages.saveCsv(folder.filePath("no/such.csv"), end);
        QTRY_COMPARE(ends.size(), std::size_t(4));
        QVERIFY(ends[3].error().kind == Error::Kind::Unreadable && !ends[3].error().what.empty());
        pages.saveCsv(folder.filePath("third.csv"), end);
        pages.cancelSaving();
        QTRY_COMPARE(ends.size(), std::size_t(5));
        QVERIFY(ends[4].error().kind == Error::Kind::Cancelled);
        QVERIFY(!QFile::exists(folder.filePath("third.csv")));
    }

    void onlyTheLinesOnScreenExist()
    {
        Fixture f(6'770'000);

        QTRY_COMPARE(f.nameAt(0), eventName(0));
        QCOMPARE(f.list.pages().size(), std::uint64_t(6'770'000));
        QVERIFY(f.list.model().rowCount() < 20);
    }

    void moreRowsThanAnIntHoldsCanBeReached()
    {
        const std::uint64_t size = 10'000'000'000;
        Fixture f(size);
        QTRY_COMPARE(f.list.pages().size(), size);

        f.list.setCurrent(size - 1);

        QTRY_COMPARE(f.nameAt(int(size - 1 - f.list.model().first())), eventName(size - 1));
    }

    void whatIsNotThereYetIsAPlaceholder()
    {
        Fixture f(1'000'000);
        QTRY_COMPARE(f.nameAt(0), eventName(0));

        f.list.scrollTo(500'000);

        QCOMPARE(f.nameAt(0), QStringLiteral("\u2026"));
        QTRY_COMPARE(f.nameAt(0), eventName(f.list.model().first()));
    }

    void aFieldHasAColumnOfItsOwnWhereAskedFor()
    {
        Fixture f(1'000'000);
        f.list.setFieldColumns({"half", "missing", "half"});
        f.list.scrollTo(400'000);

        QCOMPARE(f.list.fieldColumns(), (QStringList{"half", "missing"}));
        const auto text = [&](int column) { return f.list.model().index(0, column).data().toString(); };
        QTRY_COMPARE(text(EventModel::ColumnCount), QString::number(f.list.model().first() / 2));
        QCOMPARE(text(EventModel::ColumnCount + 1), QString());
        QCOMPARE(f.list.model().headerData(EventModel::ColumnCount, Qt::Horizontal).toString(), "half");
        const auto* header = f.list.findChild<QTableView*>()->horizontalHeader();
        QCOMPARE(header->logicalIndex(header->count() - 1), int(EventModel::Fields));
        f.list.setFieldColumns({});
        QCOMPARE(f.list.model().columnCount(), int(EventModel::ColumnCount));
        QVERIFY(f.list.model().rowCount() < 20 && *f.reads < 20); // Only events of visible rows are read.
    }

    void columnsThatHaveNothingAreHidden()
    {
        Fixture f(1'000'000);
        const auto* table = f.list.findChild<QTableView*>();
        QTRY_COMPARE(f.nameAt(0), eventName(0));
        QVERIFY(table->isColumnHidden(EventModel::Cpu) && table->isColumnHidden(EventModel::Tid));

        f.list.scrollTo(900'000); // The events from 500,000 on have a CPU, so the column must appear.

        QTRY_VERIFY(!table->isColumnHidden(EventModel::Cpu));
        QVERIFY(table->isColumnHidden(EventModel::Tid));
    }

    void theFirstEventAtATimeIsFound()
    {
        Fixture f(1000);
        QSignalSpy positionFound(&f.list.pages(), &EventPages::positionFound);

        f.list.pages().seek(timestamp(5001));

        QTRY_COMPARE(positionFound.size(), 1);
        QCOMPARE(positionFound[0][0].toULongLong(), 501ull);
    }

    void onlyTheGivenNumbersAreListed()
    {
        Fixture f(1'000'000);
        std::vector<EventHit> hits;
        for (const std::uint64_t index : {5ull, 6ull, 700ull, 999'999ull})
            hits.push_back({index, timestamp(std::int64_t(index) * 10), 0});

        f.list.pages().setNumbers(&hits);

        QTRY_COMPARE(f.nameAt(3), eventName(999'999));
        QCOMPARE(f.list.pages().size(), std::uint64_t(4));
        QCOMPARE(f.nameAt(0), eventName(5));
        QCOMPARE(f.nameAt(1), eventName(6));
        QCOMPARE(f.nameAt(2), eventName(700));
        f.list.pages().setNumbers(nullptr);
    }

    void keysMoveThroughTheWholeList()
    {
        Fixture f(100'000);
        QTRY_COMPARE(f.nameAt(0), eventName(0));
        QSignalSpy chosen(&f.list, &EventList::chosen);
        QTableView* table = f.list.findChild<QTableView*>();

        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_End);
        QTest::keyClick(table, Qt::Key_Up);

        QCOMPARE(chosen.size(), 4);
        QCOMPARE(chosen[0][0].toULongLong(), 0ull);
        QCOMPARE(chosen[1][0].toULongLong(), 1ull);
        QCOMPARE(chosen[2][0].toULongLong(), 99'999ull);
        QCOMPARE(chosen[3][0].toULongLong(), 99'998ull);
        QCOMPARE(f.list.current(), std::optional<std::uint64_t>(99'998));
    }

    void scrollingBackCostsNothingNew()
    {
        Fixture f(100'000);
        QTRY_COMPARE(f.nameAt(0), eventName(0));
        f.list.scrollTo(200);
        QTRY_COMPARE(f.nameAt(0), eventName(f.list.model().first()));
        const int reads = *f.reads;

        f.list.scrollTo(0);

        QCOMPARE(f.nameAt(0), eventName(0));
        QTest::qWait(0);
        QCOMPARE(int(*f.reads), reads);
    }

    void aNewSourceShowsTheOldRowsUntilItsOwnCome()
    {
        Fixture f(1000);
        QTRY_COMPARE(f.nameAt(0), eventName(0));

        f.list.pages().setSource([r = f.reads] { return std::make_unique<FakeSource>(2000, r); });

        QCOMPARE(f.nameAt(0), eventName(0));
        QTRY_COMPARE(f.list.pages().size(), std::uint64_t(2000));
    }

    void whatHasCpusAndThreadsIsKnownOfEachRecordingAnew()
    {
        EventPages pages;
        pages.setSource([] { return std::make_unique<BareSource>(3, 2); });
        QTRY_COMPARE(pages.size(), std::uint64_t(1));
        pages.want(0, 1);
        QTRY_VERIFY(pages.hasCpus() && pages.hasThreads());

        pages.setSource({});
        pages.setSource([] { return std::make_unique<BareSource>(-1, -1); });
        QTRY_COMPARE(pages.size(), std::uint64_t(1));
        pages.want(0, 1);
        QTRY_VERIFY(pages.row(0));

        QVERIFY(!pages.hasCpus());
        QVERIFY(!pages.hasThreads());
    }
};

HELIO_TEST(EventListTest)
#include "tst_event_list.moc"
