// Keyboard and text input: fields that apply their text while the user types, keys that stay in the focused widget, and lines that are
// copied and used as filters.

#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "tests/app/cli/program.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/expression_field.h"
#include "widgets/docks/events/event_type_table.h"
#include "widgets/docks/events/search_view.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_text.h"
#include "widgets/time/bookmarks.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panel.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/view_roles.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTest>

using namespace helio;

class FieldsAndKeysTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_window = std::make_unique<MainWindow>();
        QVERIFY(test::openIn(*m_window));
        m_window->context().showView("events");
        m_list = m_window->docks().view("events")->findChild<EventList*>();
        QTRY_VERIFY(m_list->pages().size() > 1000);
        m_all = m_list->pages().size();
    }
    void cleanup() { m_window.reset(); }

    void enterInTheRowFilterLeavesThePanelOpen()
    {
        auto* panel = m_window->findChild<TimePanel*>("control-flow");
        panel->header()->openFilter();
        QTest::keyClicks(panel->header()->filter(), "worker");
        QTest::keyClick(panel->header()->filter(), Qt::Key_Return);

        QVERIFY(!panel->isCollapsed());
        QVERIFY(m_window->focusWidget() == panel->body());
        QCOMPARE(panel->header()->filter()->text(), "worker");
    }

    void theKeysComeBackFromTheButtonsOfDetails()
    {
        auto& time = m_window->context().time();
        const auto timeline = m_window->context().timeline();
        const auto all = rows(*timeline, "control-flow");
        const auto busy = std::ranges::max_element(all, {}, &Row::intervals);
        time.setRow(busy->ref);
        time.setCursor(rangeOf(*timeline).begin + rangeOf(*timeline).duration() / 2);
        m_window->context().showView("details");
        auto* details = m_window->docks().view("details");
        QPushButton* zoom = nullptr;
        QTRY_VERIFY((zoom = visibleButton(*details, "Zoom to state")));

        QTest::mouseClick(zoom, Qt::LeftButton);

        QVERIFY(qobject_cast<TimeGraph*>(m_window->focusWidget()));
    }

    void filterAppliesWhileTyping()
    {
        auto* field = eventsField();
        QTest::keyClicks(field, "name == \"sched_switch\"");

        QTRY_VERIFY(m_list->pages().size() > 0 && m_list->pages().size() < m_all);
        const std::uint64_t switches = m_list->pages().size();
        QTRY_VERIFY(isSaid(QString("%1 events match").arg(countText(qint64(switches)))));

        QTest::keyClicks(field, " && "); // The text is invalid now: the hits stay, and a message says so.
        QTRY_VERIFY(isSaid("Still shown: name == \"sched_switch\""));
        QCOMPARE(m_list->pages().size(), switches);

        QTest::keyClicks(field, "next_tid == 0");
        QTRY_VERIFY(m_list->pages().size() < switches);
        QTRY_VERIFY(isSaid("events match"));

        field->clear();
        QTRY_COMPARE(m_list->pages().size(), m_all);
    }

    void noTextIsElided()
    {
        auto* field = eventsField();
        QTest::keyClicks(field, "name == \"sched_switch_that_is_not\"");
        QTRY_VERIFY(isSaid("no event is named \"sched_switch_that_is_not\""));
        // The event list keeps all events, because a filter that matches no event type is not applied.
        QCOMPARE(m_list->pages().size(), m_all);
    }

    void linesAreTakenTogetherAndCopied()
    {
        // Simulates that the user sets the cursor.
        m_window->context().time().setCursor(m_window->context().time().full().begin + Duration(1));
        emit m_list->pages().positionFound(10); // Simulates the lookup of the cursor: line 10 becomes the current line.
        auto* table = m_list->findChild<QTableView*>();
        QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(m_list->taken(), std::optional(std::pair(std::uint64_t(10), std::uint64_t(12))));

        QGuiApplication::clipboard()->clear();
        m_list->copyRange(true);

        QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty());
        const auto printed = heliograph({"events", sampleTrace(), "--format", "csv", "--quiet"}).out.split('\n');
        const QByteArray expected = printed[0] + '\n' + printed[11] + '\n' + printed[12] + '\n' + printed[13] + '\n';
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), expected);
    }

    void onlyAndNotOfAValueMakeUpTheWhole()
    {
        QTRY_VERIFY(m_list->pages().row(20) != nullptr);
        const auto choices = fieldChoices(*m_list->pages().row(20));
        QVERIFY(!choices.empty());
        const QString wished = choices.front().expression;
        const std::uint64_t only =
            heliograph({"events", sampleTrace(), "--count", "--quiet", "--filter", wished}).out.trimmed().toULongLong();
        QVERIFY(only > 0 && only < m_all);

        emit m_list->addFilterRequested(wished);
        QTRY_COMPARE(m_list->pages().size(), only);

        eventsField()->clear();
        QTRY_COMPARE(m_list->pages().size(), m_all);
        emit m_list->addFilterRequested("!(" + wished + ")");
        QTRY_COMPARE(m_list->pages().size(), m_all - only);
    }

    void aFieldIsShownAsAColumnAndFilteredByThere()
    {
        m_window->context().filter("name == \"sched_switch\"");
        QTRY_VERIFY(m_list->pages().size() < m_all && m_list->pages().row(0) && m_list->pages().row(0)->name == "sched_switch");
        auto* table = m_list->findChild<QTableView*>();
        const auto pick = [&](int column, const QString& begin) {
            const QModelIndex cell = m_list->model().index(0, column);
            emit table->customContextMenuRequested(table->visualRect(cell).topLeft() + QPoint(3, 5));
            QMenu* menu = m_list->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly).last();
            for (QAction* action : menu->actions())
                if (action->text().startsWith(begin)) {
                    action->trigger();
                    return menu->close();
                }
            return false;
        };

        QVERIFY(pick(EventModel::Fields, "Show prev_comm as column"));
        QCOMPARE(m_list->fieldColumns(), QStringList{"prev_comm"});
        const QString comm = m_list->model().index(0, EventModel::ColumnCount).data().toString();
        const QByteArray wanted = "name == \"sched_switch\" && prev_comm == \"" + comm.toUtf8() + '"';
        const auto printed = csvRows(heliograph({"events", sampleTrace(), "--filter", wanted, "--format", "csv", "--quiet"}));
        QVERIFY(pick(EventModel::ColumnCount, "Only prev_comm"));

        QCOMPARE(eventsField()->text().toUtf8(), wanted);
        QTRY_COMPARE(m_list->pages().size(), std::uint64_t(printed.size()));
        auto* events = dynamic_cast<SavedViewState*>(m_window->docks().view("events"));
        const QJsonObject kept = events->save();
        m_list->setFieldColumns({});
        events->restore(kept);
        QCOMPARE(m_list->fieldColumns(), QStringList{"prev_comm"});
        QTRY_VERIFY(m_list->pages().row(0));
        QVERIFY(pick(EventModel::ColumnCount, "Remove column prev_comm"));
        QVERIFY(m_list->fieldColumns().isEmpty());
    }

    void eventsAreCountedByType()
    {
        auto* types = m_window->docks().view("events")->findChild<EventTypeTable*>();
        QMap<QByteArray, qint64> expected;
        for (const CsvRow& row : csvRows(heliograph({"events", sampleTrace(), "--format", "csv", "--quiet"})))
            ++expected[row["name"]];
        QMap<QByteArray, qint64> printed;
        for (const CsvRow& row : csvRows(heliograph({"events", sampleTrace(), "--by-type", "--format", "csv", "--quiet"})))
            printed[row["name"]] = row["count"].toLongLong();

        auto* button = m_window->docks().view("events")->findChild<QAbstractButton*>("byType");
        button->click();

        QCOMPARE(printed, expected);
        QTRY_COMPARE(types->model().rowCount(), int(expected.size()));
        QMap<QByteArray, QString> shown;
        for (int row = 0; row < types->model().rowCount(); ++row)
            shown[types->model().nameAt(row).toUtf8()] = types->model().index(row, EventTypeModel::Count).data().toString();
        for (auto it = expected.begin(); it != expected.end(); ++it)
            QCOMPARE(shown[it.key()], countText(it.value()));

        emit const_cast<EventTypeTable*>(types)->chosen("sched_switch");
        QTRY_COMPARE(qint64(m_list->pages().size()), expected["sched_switch"]);
        QVERIFY(m_list->isVisible());
    }

    void theSearchAndItsHitsAreInTheEventsDock()
    {
        auto* events = m_window->docks().view("events");
        auto* search = events->findChild<SearchView*>();
        QVERIFY(search && !search->isVisible() && m_list->isVisible());
        QVERIFY(!m_window->docks().views().contains("search"));
        m_window->docks().show("requests");

        m_window->actions().at("analyse.search").trigger();
        QVERIFY(search->isVisible() && !m_list->isVisible());
        auto* field = search->findChild<QLineEdit*>();
        QTRY_VERIFY(m_window->focusWidget() == field);
        QTest::keyClicks(field, "name == \"sched_wakeup\"");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(m_window->context().hits().isComplete() && m_window->context().hits().hits().size() > 3);
        QTRY_COMPARE(search->findChild<EventList*>()->pages().size(), m_window->context().hits().hits().size());
        m_window->actions().at("analyse.next-hit").trigger();
        QVERIFY(m_window->context().hits().current().has_value());
        QVERIFY(search->isVisible());

        // The button "list" returns to the list of all events and keeps the hits of the search.
        QVERIFY(search->findChild<QAbstractButton*>("list"));
        search->findChild<QAbstractButton*>("list")->click();
        QVERIFY(m_list->isVisible() && !search->isVisible());
        QVERIFY(!m_window->context().hits().hits().empty());

        m_window->actions().at("analyse.search").trigger();
        QVERIFY(search->isVisible());
        m_window->context().showView("events"); // showView("events") is also the effect of the button "Event" in the Details dock.
        QVERIFY(m_list->isVisible());
        m_window->actions().at("analyse.search").trigger();
        m_window->actions().at("analyse.clear-search").trigger();
        QVERIFY(m_list->isVisible() && m_window->context().hits().hits().empty());
    }

    void twoMarkersSayTheirDifference()
    {
        auto& context = m_window->context();
        const Timestamp begin = rangeOf(*context.timeline()).begin;
        context.time().setCursor(begin + Duration(5'000'000));
        m_window->actions().at("go.marker-a").trigger();
        context.time().setCursor(begin + Duration(2'000'000));
        m_window->actions().at("go.marker-b").trigger();

        QCOMPARE(markerDifference(context.bookmarks()), std::optional(Duration(-3'000'000)));
        QVERIFY(isSaid(QChar(0x2212) + durationText(Duration(3'000'000))));

        context.time().setCursor(begin + Duration(6'500'000));
        m_window->actions().at("go.marker-b").trigger(); // Marker B exists already, so it moves to the cursor.
        QCOMPARE(markerDifference(context.bookmarks()), std::optional(Duration(1'500'000)));
        QCOMPARE(context.bookmarks().all().size(), 2u);

        m_window->actions().at("go.marker-b").trigger(); // Removes the marker, because it is at the cursor already.
        QVERIFY(!markerDifference(context.bookmarks()));
        QCOMPARE(context.bookmarks().all().size(), 1u);
    }

private:
    QLineEdit* eventsField() { return m_window->docks().view("events")->findChild<ExpressionField*>()->findChild<QLineEdit*>(); }
    static QPushButton* visibleButton(QWidget& in, const QString& text)
    {
        for (auto* button : in.findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == text)
                return button;
        return nullptr;
    }
    bool isSaid(const QString& text)
    {
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }

    test::OwnHome m_cache;
    std::unique_ptr<MainWindow> m_window;
    EventList* m_list = nullptr;
    std::uint64_t m_all = 0;
};

HELIO_TEST(FieldsAndKeysTest)
#include "tst_fields_and_keys.moc"
